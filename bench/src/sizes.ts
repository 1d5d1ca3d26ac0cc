// The size of the measured organization and the length of the loads; environment variables change them.
const whole = (name: string, usual: number) => Number(process.env[name] ?? usual)

/** Rows of the histories: two thirds are sign-ins, one third is written history of mixed kinds, spread over the last year. */
const rows = whole('BENCH_ROWS', 1_500_000)
export const SIZES = {
  users: whole('BENCH_USERS', 100_000),
  groups: whole('BENCH_GROUPS', 10_000),
  signIns: Math.round((rows * 2) / 3),
  history: Math.round(rows / 3),
  requests: whole('BENCH_REQUESTS', Math.max(200_000, Math.round(rows / 10))),
}
export type Sizes = typeof SIZES
/** From this size on only what depends on the number of rows is measured, unless scenarios are named. */
export const IS_LARGE = rows >= 10_000_000
/** Seconds of one load, after a warm-up. */
export const SECONDS = whole('BENCH_SECONDS', 2)
/** Rounds of each comparison: the limit and the product alternate, and the medians count. */
export const ROUNDS = 3
export const FILE_BYTES = whole('BENCH_FILE_MIB', 1024) * 1024 * 1024
