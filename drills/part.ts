// The parts of the runner.
import type { Drill } from './drill.ts'
import type { Load } from './ledger.ts'
import type { Node, NodeOptions } from './servers.ts'

/** One server with a database of its own, under load. */
export type Subject = { drill: Drill; node: Node; load: Load }

/** A drill on one server under load. */
export type ServerPart = {
  /** What the server needs. */
  options?: NodeOptions
  run(subject: Subject, times: number): Promise<void>
}

/** A drill of the command line. */
export type Part = {
  /** What it does, and its argument. */
  title: string
  needsRoot?: true
  run(argument: string | undefined): Promise<void>
}
