// Whether the live connection to the server is up. Screens follow the server's events through it (app/shell/liveEvents.ts).
import { createStore } from '../browser/store.ts'

export const isConnected = createStore(true)
