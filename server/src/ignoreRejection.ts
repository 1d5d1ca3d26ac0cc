/** Marks work whose failure is reported when it is awaited, so that it is no unhandled rejection before. */
export function ignoreRejection<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  return work
}
