// The form of the synchronization: its flat values, defaults of directories, and the hours of the day.
import { formatTimeOfDay } from '@acc/contract/labels/formats'
import { DirectoryEncryption, GroupBy, SyncKind } from '@acc/contract/labels/userImports'
import type { SyncInput, SyncState } from '@acc/contract/userSync'

const NO_DIRECTORY = {
  serverAddress: '',
  serverPort: 0 as number | string,
  encrypt: DirectoryEncryption.LDAPS as DirectoryEncryption,
  authorities: '',
  bindDn: '',
  base: '',
  filter: '',
  groupBy: GroupBy.UNITS as GroupBy,
}
const NO_ATTRIBUTES = { key: '', id: '', name: '', email: '', group: '', expireDT: '' }

/** The group at the root. */
const ROOT = 1
/** 03:00 local time is at night; UTC is what the server stores. */
const nightHour = (): number => new Date(new Date().setHours(3, 0, 0, 0)).getUTCHours()

/** Returns the values of the form. */
export function valuesOf(sync: SyncState['sync']) {
  const {
    attributes,
    hasBindPw: _,
    ...directory
  } = sync?.directory ?? {
    ...NO_DIRECTORY,
    attributes: NO_ATTRIBUTES,
    hasBindPw: 0,
  }
  const { addsGroups, adopts, mailsPasswords } = sync?.options ?? { addsGroups: 1, adopts: 0, mailsPasswords: 0 }
  return {
    kind: sync?.kind ?? SyncKind.NONE,
    groupIdx: sync?.groupIdx ?? ROOT,
    everyHours: sync?.everyHours ?? 24,
    hour: sync?.hour ?? nightHour(),
    addsGroups,
    adopts,
    mailsPasswords,
    ...directory,
    ...attributes,
    bindPw: '',
  }
}
export type SyncValues = ReturnType<typeof valuesOf>

/** Returns the input of the calls, which the contract validates. */
export function inputOf(values: SyncValues): unknown {
  const { kind, groupIdx, everyHours, hour, addsGroups, adopts, mailsPasswords, ...rest } = values
  const { key, id, name, email, group, expireDT, bindPw, ...directory } = rest
  const usesAttribute = directory.groupBy === GroupBy.ATTRIBUTE
  return {
    kind,
    directory:
      kind === SyncKind.DIRECTORY
        ? {
            ...directory,
            ...(bindPw !== '' && { bindPw }),
            attributes: { key, id, name, email, group: usesAttribute ? group : '', expireDT },
          }
        : null,
    groupIdx,
    options: { addsGroups, adopts, mailsPasswords },
    everyHours,
    hour,
  } satisfies Record<keyof SyncInput, unknown>
}

/** What most directories of a kind use. People who have left are not found, and so are suspended. */
export const PRESETS = {
  ad: {
    filter: '(&(objectCategory=person)(objectClass=user)(mail=*)(!(userAccountControl:1.2.840.113556.1.4.803:=2)))',
    key: 'objectGUID',
    id: 'sAMAccountName',
    name: 'displayName',
    email: 'mail',
    group: 'department',
    expireDT: 'accountExpires',
  },
  openLdap: {
    filter: '(&(objectClass=inetOrgPerson)(mail=*))',
    key: 'entryUUID',
    id: 'uid',
    name: 'cn',
    email: 'mail',
    group: 'ou',
    expireDT: '',
  },
} as const satisfies Record<string, Partial<SyncValues>>

/** Local time of an hour of the day in UTC: 18 is 03:00 in Seoul. */
export function localTime(hour: number, now = new Date()): string {
  const moment = new Date(now)
  moment.setUTCHours(hour, 0, 0, 0)
  return formatTimeOfDay(moment.getHours() * 60 + moment.getMinutes())
}

/** The hours of the day in UTC with their local times, from midnight on. */
export const localHours = (now = new Date()): { hour: number; time: string }[] =>
  Array.from({ length: 24 }, (_, hour) => ({ hour, time: localTime(hour, now) })).toSorted((one, other) =>
    one.time.localeCompare(other.time),
  )

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+?-----END CERTIFICATE-----/g

/** Returns the certificates of a file as PEM, without the comments between them; undefined if it has none. */
export function readCertificates(bytes: Uint8Array): string | undefined {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  const blocks = text.match(CERTIFICATE)
  if (blocks) return `${blocks.map((block) => block.replace(/\r\n?/g, '\n')).join('\n')}\n`
  // A sequence in DER, which Windows exports by default.
  if (bytes[0] !== 0x30 || bytes.length > 16_384) return undefined
  const base64 = btoa(text).replace(/.{64}/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`
}

export const countCertificates = (pem: string): number => pem.match(CERTIFICATE)?.length ?? 0
