import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { heartbeat, readRules } from './bimServer.service.ts'

export default routes(api.bimServer, { heartbeat, searchRules: readRules })
