// The application's states: sessionChecking, login, main (spec S1 §2), and a failed start.
import type { AppConfigs } from '@acc/contract/configs'
import type { ErrorName } from '@acc/contract/core/errors'
import type { Session } from '@acc/contract/session'
import { createStore, useStore } from '../../kit/browser/store.ts'
import type { Destination } from './destination.ts'

export type AppState =
  /** `isLinkSent`: the link of the address was sent. */
  | { name: 'sessionChecking'; isLinkSent?: true }
  | { name: 'failed'; error: unknown }
  | {
      name: 'login'
      configs: AppConfigs
      session: Session | null
      hasNoScreens?: boolean
      ssoError?: ErrorName
      /** The destination in the address. */
      go?: string
    }
  | { name: 'main'; configs: AppConfigs; session: Session; go: Destination | null }

const state = createStore<AppState>({ name: 'sessionChecking' })

export const setAppState = state.set
export const useAppState = (): AppState => useStore(state)
