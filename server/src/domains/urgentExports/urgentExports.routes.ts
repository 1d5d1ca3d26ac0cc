import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { confirmUrgent, reviewUrgent } from './urgentExports.service.ts'

export default routes(api.urgentExports, { review: reviewUrgent, confirm: confirmUrgent })
