// Answers that a handler returns to many callers until they change. Each is checked, written and compressed once.

const shared = new WeakSet<object>()

/** Marks an answer as shared. It must not change afterwards. */
export function shareAnswer<T extends object>(answer: T): T {
  shared.add(answer)
  return answer
}

export const isShared = (answer: unknown): answer is object =>
  typeof answer === 'object' && answer !== null && shared.has(answer)
