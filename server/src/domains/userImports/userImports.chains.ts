// Values that one account gives up and another takes in the same plan. Unique indexes are checked row by row, so such
// rows form a chain, which is applied in one transaction.
import type { Claim } from './userImports.plan.queries.ts'

/** Rows of a chain at most. Longer ones come from a column that was sorted or shifted alone. */
export const MAX_CHAIN = 500

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
  const others = claims.filter(({ rowIdx }) => !failed.has(rowIdx))
  const chains = findChains(others)
  const tooLong = new Set(chains.filter(({ size }) => size > MAX_CHAIN).flatMap((chain) => [...chain]))
  const kept = chains.filter(({ size }) => size <= MAX_CHAIN)
  return {
    taken: [...taken, ...others.filter(({ rowIdx }) => tooLong.has(rowIdx))],
    chainOf: new Map(kept.flatMap((chain, at) => [...chain].map((rowIdx): [number, number] => [rowIdx, at + 1]))),
  }
}

/** Finds the connected rows. */
function findChains(claims: readonly Claim[]): Set<number>[] {
  const neighbors = new Map<number, number[]>()
  const connect = (from: number, to: number) => neighbors.set(from, [...(neighbors.get(from) ?? []), to])
  for (const { rowIdx, giverIdx } of claims) {
    if (giverIdx === null) continue
    connect(rowIdx, giverIdx)
    connect(giverIdx, rowIdx)
  }
  const known = new Set<number>()
  return [...neighbors.keys()].flatMap((begin) => {
    if (known.has(begin)) return []
    const chain = new Set([begin])
    // Grows while it is read.
    for (const rowIdx of chain) {
      known.add(rowIdx)
      for (const next of neighbors.get(rowIdx) ?? []) chain.add(next)
    }
    return [chain]
  })
}
