// Words of the BIM service.
import { enumOf } from './enumOf.ts'

/** Whether a BIM server has reported within the last 90 seconds. */
export const BimServerState = enumOf({
  OFFLINE: { value: 0, ko: '오프라인', en: 'Offline', tone: 'quiet' },
  ONLINE: { value: 1, ko: '온라인', en: 'Online', tone: 'ok' },
})
