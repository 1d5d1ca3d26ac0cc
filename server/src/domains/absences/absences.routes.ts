import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { createAbsence, endAbsence, findAbsences, searchSubstitutes } from './absences.service.ts'

export default routes(api.absences, {
  find: findAbsences,
  searchSubstitutes,
  create: createAbsence,
  end: endAbsence,
})
