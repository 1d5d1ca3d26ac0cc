// Work of which only some runs at the same time; the rest waits in the order of arrival.

/** `isIdle`: nothing runs and nothing waits. */
export type Slots = { run<T>(work: () => Promise<T>): Promise<T>; isIdle(): boolean }

/** Opens slots for `atOnce` works. Calls `refuse` at once where `maxWaiting` wait already. */
export function openSlots(atOnce: number, maxWaiting: number, refuse: () => never): Slots {
  let running = 0
  const waiting: (() => void)[] = []
  const enter = async () => {
    if (running < atOnce) return void running++
    if (waiting.length >= maxWaiting) refuse()
    // The work that ends hands its slot over.
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  return {
    async run(work) {
      await enter()
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next === undefined) running--
        else next()
      }
    },
    isIdle: () => running === 0,
  }
}
