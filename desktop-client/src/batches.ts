// Splits blocked connections into batches for POST /Agent/NetworkBlocks. A batch's id is derived from its content, the
// user and the PC, so that a repeated report counts once.
import { createHash } from 'node:crypto'
import type { InputOf } from '@acc/contract/core/route'
import { MAX_BLOCKS, networkBlocks } from '@acc/contract/networkBlocks'
import { localError } from './errors.ts'

export type Batch = InputOf<typeof networkBlocks.report>

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
