// Client versions (spec S2 §2.4, §4, §5): builds of the desktop client that administrators upload; the deployed one is
// what people download and clients update to.
import { CLIENT_EXTENSIONS, type ClientFile } from '@acc/contract/clientVersions'
import type { Empty } from '@acc/contract/core/fields'
import { ClientManage } from '@acc/contract/labels/history'
import { type HistoryEntry, notify } from '../../core/change.ts'
import type { Change, Download, Read, StreamedFile } from '../../core/context.ts'
import { Failure, fail } from '../../core/errors.ts'
import { withOldValues } from '../../core/historyValues.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { openProgram, ownerOf, receiveProgram, removeProgram } from './clientVersions.files.ts'
import {
  deleteVersion,
  findDeployed,
  findVersion,
  insertVersion,
  lockDeployment,
  updateDeployed,
  type VersionRow,
} from './clientVersions.queries.ts'

/** A history row about a version; `before` is the version that was deployed until now. */
const versionLog = (
  type: (typeof ClientManage.values)[number],
  { idx, version }: VersionRow,
  before: VersionRow | undefined,
): HistoryEntry<'clientManage'> => ({
  kind: 'clientManage',
  type,
  subject: version,
  subjectIdx: idx,
  groupIdx: null,
  detail: withOldValues('target', { version }, before === undefined ? null : { version: before.version }),
})

const uploadLog = (row: VersionRow) => versionLog(ClientManage.CREATE, row, undefined)
const deployLog = (row: VersionRow, before: VersionRow | undefined) => versionLog(ClientManage.UPDATE, row, before)
const removeLog = (row: VersionRow) => versionLog(ClientManage.DELETE, row, undefined)

type Ctx = Change<'clientManage'>
type ByVersion = { version: string }

const EXTENSION = new RegExp(`[^.]\\.(?:${CLIENT_EXTENSIONS.join('|')})$`, 'i')

/** Stores an uploaded build under the version that its version resource states. */
export async function uploadVersion(ctx: Ctx & { file: StreamedFile }): Promise<ByVersion> {
  const { services } = ctx
  const fileName = ctx.file.name
  if (!EXTENSION.test(fileName)) fail('INVALID_CLIENT_FILE', { reason: 'name' })
  const { file, version } = await receiveProgram(services, ctx.file)
  const { name, size, sha256 } = file
  const wrappedKey = file.wrapKey(ownerOf({ version, fileName }))
  const uploadDT = services.clock.now()
  try {
    return await ctx.change(async (tx) => {
      const columns = { version, fileName, fileSize: size, sha256, storeName: name, wrappedKey, uploadDT }
      const row = await insertVersion(tx, columns)
      await notify(tx, { topic: 'clientVersions', idx: row.idx })
      return { result: { version }, log: [uploadLog(row)] }
    })
  } catch (error) {
    // After any other error the row may exist; if not, the sweep removes the file.
    if (error instanceof Failure) await removeProgram(services, name)
    throw error
  }
}

async function requireVersion(db: Reader | Tx, version: string): Promise<VersionRow> {
  return (await findVersion(db, version)) ?? fail('NOT_ALLOWED')
}

export function deployVersion(ctx: Ctx, { version }: ByVersion): Promise<Empty> {
  return ctx.change(async (tx) => {
    await lockDeployment(tx)
    const row = await requireVersion(tx, version)
    if (row.isDeploy === 1) return { result: {}, log: 'unchanged' }
    const before = await findDeployed(tx)
    await updateDeployed(tx, row.idx)
    await notify(tx, { topic: 'clientVersions' })
    return { result: {}, log: [deployLog(row, before)] }
  })
}

/** Deletes a version that is not deployed. Downloads under way keep their open file. */
export async function removeVersion(ctx: Ctx, { version }: ByVersion): Promise<Empty> {
  const { storeName } = await ctx.change(async (tx) => {
    await lockDeployment(tx)
    const row = await requireVersion(tx, version)
    if (row.isDeploy === 1) fail('REQUEST_STATE')
    await deleteVersion(tx, row.idx)
    await notify(tx, { topic: 'clientVersions', idx: row.idx })
    return { result: row, log: [removeLog(row)] }
  })
  await removeProgram(ctx.services, storeName)
  return {}
}

export const downloadVersion = async ({ services, read }: Read, { version }: ByVersion): Promise<Download> =>
  openProgram(services, await requireVersion(read, version))

/** The deployed version for people and clients. */
export async function findDeployedClient(db: Reader): Promise<ClientFile | null> {
  const row = await findDeployed(db)
  if (row === undefined) return null
  const { version, fileName, fileSize, sha256, uploadDT } = row
  return { version, fileName, fileSize, sha256, uploadDT: uploadDT.toISOString() }
}

/** Returns the deployed file from an offset on. Fails with REQUEST_STATE unless this version is deployed. */
export async function downloadDeployed(
  { services, read }: Pick<Read, 'services' | 'read'>,
  { version, offset }: { version?: string; offset?: number | undefined } = {},
): Promise<Download> {
  const row = await findDeployed(read)
  if (row === undefined || (version !== undefined && row.version !== version)) fail('REQUEST_STATE')
  return openProgram(services, row, offset)
}
