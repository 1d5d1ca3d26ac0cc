// User synchronization: one source, a directory or a folder, whose runs are imports (spec S1 §2,
// docs/decisions/29-user-imports.md).
import { z } from 'zod'
import { Empty, flag, host, idx, line, moment, secret } from './core/fields.ts'
import { MAX_PORT } from './core/limits.ts'
import { defineRoutes, get, post } from './core/route.ts'
import { DirectoryEncryption, GroupBy, SyncKind } from './labels/userImports.ts'
import { ImportOptions } from './userImports.ts'

/** The name of an attribute (RFC 4512 §1.4), with options such as `;binary`. */
const attribute = z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,60}(;[A-Za-z0-9-]{1,30})?$/)
const noAttribute = z.literal('')

/** The hosts of an address, in the order in which they are tried. */
export const hostsOf = (addresses: string): string[] => addresses.split(',').map((host) => host.trim())
const MAX_HOSTS = 8
const hosts = line(255)
  .min(1)
  .refine((text) => hostsOf(text).every((one) => host(255).safeParse(one).success), 'host')
  .refine((text) => hostsOf(text).length <= MAX_HOSTS, 'hosts')

/** Certificates of authorities as PEM text. Empty: those of the system. */
const authorities = z
  .string()
  .max(65_536, { abort: true })
  .regex(/^(\s*-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)*$/)

export const DirectoryInput = z.object({
  /** One host or several, separated by commas: the next one is tried if one cannot be reached. */
  serverAddress: hosts,
  /** 0: the default port of the encryption, 636 or 389. */
  serverPort: z.int().min(0).max(MAX_PORT),
  encrypt: z.literal(DirectoryEncryption.values),
  authorities,
  /** The account that searches. Empty: anonymous. */
  bindDn: line(255),
  /** Left out: the stored one, while address, port, encryption and account are unchanged. Never returned. */
  bindPw: secret(z.string().max(128)).optional(),
  base: line(255).min(1),
  filter: line(500).min(1),
  groupBy: z.literal(GroupBy.values),
  attributes: z.object({
    key: attribute,
    id: attribute,
    name: attribute,
    email: attribute,
    group: z.union([attribute, noAttribute]),
    expireDT: z.union([attribute, noAttribute]),
  }),
})
export type DirectoryInput = z.output<typeof DirectoryInput>

const DEFAULT_PORTS = { [DirectoryEncryption.LDAPS]: 636, [DirectoryEncryption.STARTTLS]: 389 }
export const directoryPort = ({ serverPort, encrypt }: Pick<DirectoryInput, 'serverPort' | 'encrypt'>): number =>
  serverPort === 0 ? DEFAULT_PORTS[encrypt] : serverPort

export const SyncInput = z.object({
  kind: z.literal(SyncKind.values),
  directory: DirectoryInput.nullable(),
  /** Paths of groups begin below it; people without a path belong to it. */
  groupIdx: idx,
  options: ImportOptions.omit({ isComplete: true }),
  /** Hours between two runs; 0: by button only. */
  everyHours: z.literal([0, 1, 6, 24]),
  /** The hour of the day (UTC) at which a daily run begins. */
  hour: z.int().min(0).max(23),
})
export type SyncInput = z.output<typeof SyncInput>

const SyncState = z.object({
  /** Null as long as nothing was saved. */
  sync: SyncInput.extend({
    directory: DirectoryInput.omit({ bindPw: true }).extend({ hasBindPw: flag }).nullable(),
    groupName: z.string(),
  }).nullable(),
  /** The folder of ACC_PEOPLE_DIR; null if it is not set. */
  folder: z.string().nullable(),
  /** When it runs next by itself. */
  nextDT: moment.nullable(),
  /** The last look that found nothing new: the file is that of the last run. */
  unchangedDT: moment.nullable(),
})
export type SyncState = z.output<typeof SyncState>

/** A person as the source has them; `faults` are fields that an import would refuse. */
const Entry = z.object({
  key: z.string(),
  id: z.string(),
  name: z.string(),
  email: z.string(),
  group: z.string(),
  expireDT: z.string(),
})

/** Entries that a test shows. */
export const MAX_TEST_ENTRIES = 10

const write = { access: 'admin', assumed: true } as const

export const userSync = defineRoutes({
  /** Returns the source, without its password, and when it runs. */
  find: get('/UserSync', {
    input: Empty,
    data: SyncState,
    access: 'admin',
    errors: [],
    shows: ['settings', 'userImports', 'groups'],
    assumed: true,
  }),
  /** Sets the source. 122: its group does not exist. */
  set: post('/UserSync', {
    ...write,
    input: SyncInput,
    data: Empty,
    errors: ['NO_GROUP'],
    changes: ['settings'],
    audit: 'settingManage',
  }),
  /** Makes the search of a run: the number of people and the first ones. 998: it failed, for `data`. */
  test: post('/UserSync/Test', {
    ...write,
    input: SyncInput,
    data: z.object({ count: z.int(), entries: z.array(Entry).max(MAX_TEST_ENTRIES) }),
    errors: ['SYNC_FAILED'],
    changes: [],
    audit: { none: 'a test changes nothing; the operation log names who made it' },
  }),
  /** Starts a run now. 170: none is set, or one is not ended. */
  run: post('/UserSync/Run', {
    ...write,
    input: Empty,
    data: z.object({ idx }),
    errors: ['REQUEST_STATE'],
    changes: ['userImports'],
    audit: { none: 'the run writes its row when it ends, and a row for each person' },
  }),
})
