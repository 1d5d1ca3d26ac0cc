// Which BIM servers are online: those that reported lately.
import { OFFLINE_SECONDS } from '@acc/contract/bimServer'
import { type SqlBool, sql } from 'kysely'
import { later } from '../../clock.ts'

/** The moment after which a server that is online has reported. */
export const silentSince = (now: Date): Date => later(now, -OFFLINE_SECONDS * 1000)

/** Whether a server `s` is online. */
export const isOnline = (now: Date) => sql<SqlBool>`(s."isOnline" = 1 and s."heartbeatDT" > ${silentSince(now)})`
