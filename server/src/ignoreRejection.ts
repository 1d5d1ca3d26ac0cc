/** Work that runs ahead: its failure is reported when it is awaited, and never as an unhandled rejection before. */
export function ignoreRejection<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  return work
}
