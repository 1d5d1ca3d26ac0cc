// The version of `acc-client`, as its package states it.
import about from '../package.json' with { type: 'json' }

export const VERSION: string = about.version

/** Returns whether two versions have the same numbers. */
export function isSameVersion(one: string, other: string): boolean {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number))
  return [0, 1, 2, 3].every((at) => (a?.[at] ?? 0) === (b?.[at] ?? 0))
}
