// The size of the measured organisation and the length of the loads; environment variables change them.
const whole = (name: string, usual: number) => Number(process.env[name] ?? usual)

export const SIZES = {
  users: whole('BENCH_USERS', 100_000),
  groups: whole('BENCH_GROUPS', 10_000),
  /** Sign-ins of desktop clients, over the last year. */
  history: whole('BENCH_HISTORY', 1_000_000),
  requests: whole('BENCH_REQUESTS', 200_000),
}
export type Sizes = typeof SIZES
/** Seconds of one load, after a warm-up of a quarter. */
export const SECONDS = whole('BENCH_SECONDS', 2)
/** Rounds of each comparison: the limit and the product alternate, and the medians count. */
export const ROUNDS = 3
export const FILE_BYTES = whole('BENCH_FILE_MIB', 1024) * 1024 * 1024
