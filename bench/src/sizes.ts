// How large the measured organisation is. BENCH_USERS, BENCH_GROUPS and BENCH_HISTORY change it.
const whole = (name: string, usual: number) => Number(process.env[name] ?? usual)

export const SIZES = {
  users: whole('BENCH_USERS', 100_000),
  groups: whole('BENCH_GROUPS', 10_000),
  history: whole('BENCH_HISTORY', 1_000_000),
}
export type Sizes = typeof SIZES
/** Seconds that a scenario is loaded for, after a warm-up of a quarter. */
export const SECONDS = whole('BENCH_SECONDS', 6)
