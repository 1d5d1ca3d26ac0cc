// acc-client update: compares this client with the deployed version, and downloads that one.
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ClientFile } from '@acc/contract/clientVersions'
import { safeFileName } from '@acc/contract/core/fileName'
import { downloadClient } from '../clientDownload.ts'
import { keepAlive } from '../connection.ts'
import { signedIn } from '../context.ts'
import { compareWithTarget } from '../download.ts'
import { localError, usageError } from '../errors.ts'
import { defineCommand } from '../options.ts'
import { plain } from '../output.ts'
import { isSameVersion } from '../version.ts'

export const update = defineCommand({
  options: { check: { type: 'boolean' }, to: { type: 'string' }, force: { type: 'boolean' } },
  args: [0, 0],
  async run(context, { check = false, to, force = false }) {
    if (check === (to !== undefined)) throw usageError((texts) => texts.checkOrTo)
    const { texts, signal, progress } = context
    const { calls, session } = await signedIn(context)
    const { client } = await calls.agent.findClient({}, { signal })
    const current = session.clientVersion
    const isCurrent = client === null || isSameVersion(client.version, current) ? 1 : 0
    const document = { currentVersion: current, client, isCurrent }
    if (client === null) return { document, lines: [texts.noneDeployed] }
    const found = { current: plain(current), deployed: plain(client.version) }
    if (to === undefined) return { document, lines: [isCurrent ? texts.isCurrent(found) : texts.isOlder(found)] }
    const path = await pathOf(client, to)
    const there = await compareWithTarget(path, client)
    if (there === 'other' && !force) throw localError((texts) => texts.exists(path))
    const transfer = { calls, signal, progress }
    if (there !== 'same')
      await keepAlive(calls, session, () => downloadClient(transfer, { client, path, isForced: force }))
    return {
      document: { ...document, path, isDownloaded: there === 'same' ? 0 : 1 },
      lines: [there === 'same' ? texts.alreadyThere(path) : texts.downloaded(path)],
    }
  },
})

/** The name of a server's file may not leave the folder. */
async function pathOf({ fileName }: ClientFile, to: string): Promise<string> {
  const folder = resolve(to)
  await mkdir(folder, { recursive: true })
  return join(folder, safeFileName(fileName))
}
