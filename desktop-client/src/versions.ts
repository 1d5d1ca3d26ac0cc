// Versions of the client as numbers: `1.4.2` and `1.4.2.0` are the same.

/** Returns whether two versions have the same numbers. */
export function isSameVersion(one: string, other: string): boolean {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number))
  return [0, 1, 2, 3].every((at) => (a?.[at] ?? 0) === (b?.[at] ?? 0))
}
