import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { readChoice, readOverdue, setChoice, setOverdue } from './notices.service.ts'

export default routes(api.notices, {
  choice: readChoice,
  setChoice,
  overdue: readOverdue,
  setOverdue,
})
