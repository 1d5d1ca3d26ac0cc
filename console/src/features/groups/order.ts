// Reordering a list.

/** Returns the list with `item` at index `at`; the others keep their order. */
export function moved<T>(list: readonly T[], item: T, at: number): T[] {
  const others = list.filter((one) => one !== item)
  return [...others.slice(0, at), item, ...others.slice(at)]
}
