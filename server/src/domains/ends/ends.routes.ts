import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { searchExceptions } from './ends.service.ts'

export default routes(api.ends, { search: searchExceptions })
