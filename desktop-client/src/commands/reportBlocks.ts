// acc-client report-blocks FILE: reports blocked connections for the network log.
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { batchesOf } from '../batches.ts'
import { signedIn } from '../context.ts'
import { localError } from '../errors.ts'
import { defineCommand } from '../options.ts'

export const reportBlocks = defineCommand({
  options: {},
  args: [1, 1],
  async run(context, _options, [path = '']) {
    const blocks = parseBlocks(path === '-' ? await text(process.stdin) : await readFile(path, 'utf8'), path)
    const { calls, session } = await signedIn(context)
    const { deviceId } = await context.state.read()
    const batches = batchesOf(blocks, `${session.user.idx}\n${deviceId}`)
    let accepted = 0
    for (const batch of batches)
      accepted += (await calls.networkBlocks.report(batch, { signal: context.signal })).accepted
    return {
      document: { batches: batches.length, blocks: blocks.length, accepted },
      lines: [context.texts.reported(blocks.length, accepted)],
    }
  },
})

function parseBlocks(content: string, path: string): unknown[] {
  let blocks: unknown
  try {
    blocks = JSON.parse(content)
  } catch {
    throw localError((texts) => texts.notJson(path))
  }
  if (!Array.isArray(blocks)) throw localError((texts) => texts.notJson(path))
  if (blocks.length === 0) throw localError((texts) => texts.noBlocks(path))
  return blocks
}
