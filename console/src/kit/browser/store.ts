// A value outside React that components and other code follow.
import { useSyncExternalStore } from 'react'

export type Store<T> = {
  get: () => T
  set: (value: T) => void
  /** Calls `listener` after each change, until the returned function is called. */
  subscribe: (listener: () => void) => () => void
}

export function createStore<T>(value: T): Store<T> {
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const useStore = <T>({ subscribe, get }: Store<T>): T => useSyncExternalStore(subscribe, get)
