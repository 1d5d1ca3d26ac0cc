// A source of user synchronization for tests: the directory of a real OpenLDAP, and runs that wait for their jobs.
import type { Api } from '@acc/contract'
import type { Client } from '@acc/contract/core/client'
import type { ImportAction } from '@acc/contract/labels/userImports'
import type { ImportRow, UserImport } from '@acc/contract/userImports'
import type { DirectoryInput, SyncInput } from '@acc/contract/userSync'
import { PEOPLE, READER, type Slapd } from '../../../test/slapd.ts'
import { runDueJobs } from '../../core/job.ts'
import type { Services } from '../../core/services.ts'
import { userImportJobs } from '../userImports/userImports.jobs.ts'
import { userSyncJobs } from './userSync.runs.ts'

export const directoryOf = ({ tlsPort, authority }: Slapd, change: Partial<DirectoryInput> = {}): DirectoryInput => ({
  serverAddress: 'localhost',
  serverPort: tlsPort,
  encrypt: 1,
  authorities: authority.pem,
  bindDn: READER.dn,
  bindPw: READER.password,
  base: PEOPLE,
  filter: '(objectClass=inetOrgPerson)',
  groupBy: 1,
  attributes: { key: 'entryUUID', id: 'uid', name: 'cn', email: 'mail', group: '', expireDT: '' },
  ...change,
})

export const syncOf = (groupIdx: number, change: Partial<SyncInput> = {}): SyncInput => ({
  kind: 1,
  directory: null,
  groupIdx,
  options: { addsGroups: 1, adopts: 0, mailsPasswords: 0 },
  everyHours: 24,
  hour: 3,
  ...change,
})

const queues = [...userSyncJobs, ...userImportJobs].filter(({ cron }) => cron === undefined)

/** Calls of an administrator about the source. */
export function syncsOf(app: Services, { userSync, userImports }: Client<Api>) {
  const settle = () => runDueJobs(app, queues)
  const find = (idx: number): Promise<UserImport> => userImports.find({ idx })
  return {
    settle,
    /** Makes a run by button to its end, or to where it waits. */
    run: async (): Promise<UserImport> => {
      const { idx } = await userSync.run({})
      await settle()
      return find(idx)
    },
    rows: async (importIdx: number, ...actions: ImportAction[]): Promise<ImportRow[]> =>
      (await userImports.searchRows({ importIdx, actions, rowsCount: 1_000, sort: 'idx', sortOrder: 0 })).items,
  }
}
