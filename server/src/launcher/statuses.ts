/** Exit statuses of the Linux Standard Base for commands of services. */
export const Status = { OK: 0, FAILED: 1, USAGE: 2, NO_RIGHT: 4, NOT_CONFIGURED: 6 } as const
/** Exit statuses of `status`. */
export const Report = { RUNS: 0, DIED: 1, STOPPED: 3, UNKNOWN: 4 } as const

/** Ends a command with one sentence. */
export class Refusal extends Error {
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}
