import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { reportBlocks } from './networkBlocks.service.ts'

export default routes(api.networkBlocks, { report: reportBlocks })
