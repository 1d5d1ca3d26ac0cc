// Files of people and their way through a run, for tests.
import type { Api } from '@acc/contract'
import type { Client } from '@acc/contract/core/client'
import type { ImportRow, UserImport } from '@acc/contract/userImports'
import { runDueJobs } from '../../core/job.ts'
import type { Services } from '../../core/services.ts'
import { userImportJobs } from './userImports.jobs.ts'

type Options = Partial<Record<'addsGroups' | 'adopts' | 'isComplete' | 'mailsPasswords', 0 | 1>>

const [STEP] = userImportJobs
if (STEP === undefined) throw new Error('imports have no job')

/** The columns that a new person needs. */
export const HEADER = ['id', 'name', 'email', 'group']

/** A file: lines of cells, or its bytes. */
export const fileOf = (content: string | Buffer | readonly (readonly string[])[], name = 'people.csv'): File => {
  const lines = (rows: readonly (readonly string[])[]) => rows.map((cells) => cells.join(',')).join('\r\n')
  const bytes = typeof content === 'string' || Buffer.isBuffer(content) ? content : lines(content)
  return new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type: 'text/csv' })
}

/** The calls of a person about imports: each waits for the jobs that it starts. */
export function importsOf(app: Services, client: Client<Api>) {
  const calls = client.userImports
  const settle = () => runDueJobs(app, [STEP as NonNullable<typeof STEP>])
  const find = (idx: number): Promise<UserImport> => calls.find({ idx })
  return {
    /** Plans and applies as far as the runs go. */
    settle,
    plan: async (file: File, options: Options = {}): Promise<UserImport> => {
      const { idx } = await calls.upload(options, file)
      await settle()
      return find(idx)
    },
    apply: async (idx: number, disables?: number): Promise<UserImport> => {
      await calls.apply({ idx, disables })
      await settle()
      return find(idx)
    },
    /** Cancels open runs, so that the next one can begin. */
    cancelOpen: async (): Promise<void> => {
      const { items } = await calls.search({ rowsCount: 100 })
      for (const { idx, isEditable } of items) if (isEditable === 1) await calls.cancel({ idx })
    },
    rows: async (importIdx: number): Promise<ImportRow[]> =>
      (await calls.searchRows({ importIdx, rowsCount: 1000, sort: 'idx', sortOrder: 0 })).items,
  }
}
