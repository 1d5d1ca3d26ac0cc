import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { readChoice, readOverdue, setChoice, setOverdue } from './notices.service.ts'

export default routes(api.notices, {
  findChoice: readChoice,
  setChoice,
  findOverdue: readOverdue,
  setOverdue,
})
