// Values that one account gives up and another takes in the same plan. Unique indexes are checked row by row, so such
// rows form a chain, which is applied in one transaction.
import type { Claim } from './userImports.plan.queries.ts'

type Solved = {
  /** Claims that nobody gives up: their rows are errors. */
  taken: { rowIdx: number; field: Claim['field']; holderIdx: number }[]
  /** The number of the chain of each row that belongs to one. */
  chainOf: Map<number, number>
}

/** Returns the claims that fail, with those that depend on a row that fails, and the chains of the others. */
export function solveClaims(claims: readonly Claim[]): Solved {
  const waiting = new Map<number, Claim[]>()
  for (const claim of claims) {
    if (claim.giverIdx !== null) waiting.set(claim.giverIdx, [...(waiting.get(claim.giverIdx) ?? []), claim])
  }
  const taken = claims.filter(({ giverIdx }) => giverIdx === null)
  const failed = new Set(taken.map(({ rowIdx }) => rowIdx))
  // Grows while it is read: a row that fails gives nothing up.
  for (const rowIdx of failed) {
    for (const claim of waiting.get(rowIdx) ?? []) {
      taken.push(claim)
      failed.add(claim.rowIdx)
    }
  }
  return { taken, chainOf: numbered(claims.filter(({ rowIdx }) => !failed.has(rowIdx))) }
}

/** Numbers the connected rows, from 1. */
function numbered(claims: readonly Claim[]): Map<number, number> {
  const neighbors = new Map<number, number[]>()
  const connect = (from: number, to: number) => neighbors.set(from, [...(neighbors.get(from) ?? []), to])
  for (const { rowIdx, giverIdx } of claims) {
    if (giverIdx === null) continue
    connect(rowIdx, giverIdx)
    connect(giverIdx, rowIdx)
  }
  const chainOf = new Map<number, number>()
  let chain = 0
  for (const begin of neighbors.keys()) {
    if (chainOf.has(begin)) continue
    chain++
    const reached = new Set([begin])
    for (const rowIdx of reached) {
      chainOf.set(rowIdx, chain)
      for (const next of neighbors.get(rowIdx) ?? []) reached.add(next)
    }
  }
  return chainOf
}
