// Which mutant is on, and which were asked for: instrumented files ask here. The state outlives a reset of the modules.

type State = { on: number | undefined; asked: Set<number>; isTainted: boolean }
const holder = globalThis as { mutations?: State }
holder.mutations ??= { on: undefined, asked: new Set(), isTainted: false }
export const state: State = holder.mutations

/**
 * Returns whether a mutant takes the place of the text.
 * @public called by instrumented text
 */
export function isOn(id: number): boolean {
  state.asked.add(id)
  return state.on === id
}

/**
 * A list that is chosen whenever somebody reads it, since the contract makes it once.
 * @public called by instrumented text
 */
export const chosen = <T extends object>(choose: () => T): T =>
  new Proxy(choose(), { get: (_, key) => Reflect.get(choose(), key) })
