// The size of the measured organization and the length of the loads; environment variables change them.
const number = (name: string, usual: number) => Number(process.env[name] ?? usual)
/** Rows of a year: two thirds are sign-ins, one third is history. */
const rows = number('BENCH_ROWS', 10_000_000)
export const SIZES = {
  users: number('BENCH_USERS', 100_000),
  groups: number('BENCH_GROUPS', 10_000),
  signIns: Math.round((rows * 2) / 3),
  history: Math.round(rows / 3),
  requests: Math.round(rows / 10),
}
export type Sizes = typeof SIZES
/** Seconds of one load. */
export const SECONDS = number('BENCH_SECONDS', 2)
/** Rounds of a comparison; medians count. */
export const ROUNDS = 3
export const FILE_BYTES = number('BENCH_FILE_MIB', 1024) * 1024 * 1024
export const daysBefore = (moment: Date, days: number) => new Date(moment.getTime() - days * 86_400_000).toISOString()
