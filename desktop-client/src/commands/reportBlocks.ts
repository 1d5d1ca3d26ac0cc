// acc-client report-blocks FILE: reports blocked connections for the network log.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { InputOf } from '@acc/contract/core/route'
import { MAX_BLOCKS, networkBlocks } from '@acc/contract/networkBlocks'
import { signedIn } from '../context.ts'
import { localError } from '../errors.ts'
import { defineCommand } from '../options.ts'

type Batch = InputOf<typeof networkBlocks.report>

/** Splits a report into batches. `reporter` is the user and the PC. */
export function batchesOf(blocks: readonly unknown[], reporter: string): Batch[] {
  const batches: Batch[] = []
  for (let from = 0; from < blocks.length; from += MAX_BLOCKS) {
    batches.push(batchOf(blocks.slice(from, from + MAX_BLOCKS), from, reporter))
  }
  return batches
}

function batchOf(blocks: unknown[], from: number, reporter: string): Batch {
  const parsed = networkBlocks.report.input.safeParse({ batchId: batchId(`${reporter}\n${from}\n`), blocks })
  if (!parsed.success) throw badBlock(parsed.error.issues, from)
  const content = parsed.data.blocks.map((block) => JSON.stringify(block)).join('\n')
  return { ...parsed.data, batchId: batchId(`${reporter}\n${from}\n${content}`) }
}

function badBlock(issues: readonly { path: PropertyKey[] }[], from: number): Error {
  const path = issues[0]?.path ?? []
  const position = from + 1 + (typeof path[1] === 'number' ? path[1] : 0)
  const fields = issues.filter((issue) => issue.path[1] === path[1]).map((issue) => issue.path.slice(2).join('.'))
  return localError((texts) => texts.badBlock(position, [...new Set(fields)].filter(Boolean).join(', ') || 'JSON'))
}

/** A UUID of version 8, derived from a SHA-256 (RFC 9562, section 5.8). */
export function batchId(content: string): string {
  const bytes = createHash('sha256').update(content).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

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
