// The pages that dialogs offer (spec S2 §9).

/** Pages that a dialog shows at once. */
const PAGE_RANGE = 5

/** Returns the numbers of the pages around the current one: five of them wherever there are so many. */
export function pageRange(page: number, pages: number): number[] {
  const count = Math.min(PAGE_RANGE, pages)
  const first = Math.min(Math.max(1, page - Math.floor(PAGE_RANGE / 2)), pages - count + 1)
  return Array.from({ length: count }, (_, at) => first + at)
}
