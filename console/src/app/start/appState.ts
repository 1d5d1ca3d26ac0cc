// The application's states (S1 section 2): sessionChecking, login, main, and a start that failed.
import type { AppConfigs } from '@acc/contract/configs'
import type { Session } from '@acc/contract/session'
import { useSyncExternalStore } from 'react'
import type { Destination } from './destination.ts'

export type AppState =
  | { name: 'sessionChecking' }
  | { name: 'failed'; error: unknown }
  | { name: 'login'; configs: AppConfigs; session: Session | null }
  | { name: 'main'; configs: AppConfigs; session: Session; go: Destination | null }

let state: AppState = { name: 'sessionChecking' }
const listeners = new Set<() => void>()

export const appState = (): AppState => state

export function setAppState(next: AppState): void {
  state = next
  for (const tell of listeners) tell()
}

export const useAppState = (): AppState =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, appState)
