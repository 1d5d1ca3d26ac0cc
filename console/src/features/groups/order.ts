// Reordering a list.

/** Returns an order without rows that were removed, with those that were added since at the end. */
export function withPresent<T>(order: readonly T[], present: readonly T[]): T[] {
  const isPresent = (item: T) => present.includes(item)
  return [...order.filter(isPresent), ...present.filter((item) => !order.includes(item))]
}

/** Returns the list with `item` at index `at`; the others keep their order. */
export function moved<T>(list: readonly T[], item: T, at: number): T[] {
  const others = list.filter((one) => one !== item)
  return [...others.slice(0, at), item, ...others.slice(at)]
}
