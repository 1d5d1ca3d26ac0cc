import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { searchUses } from './licenses.queries.ts'
import { chooseEvaluation, previewLicense, registerLicense } from './licenses.registration.ts'
import { removeUses, setDevicesPerUser } from './licenses.service.ts'
import { readStatus } from './licenses.status.ts'

export default routes(api.licenses, {
  find: ({ services, read }) => readStatus(read, services),
  searchUses: ({ read }, filter) => searchUses(read, filter),
  removeUses,
  register: (ctx) => registerLicense(ctx, ctx.file),
  preview: (ctx) => previewLicense(ctx, ctx.file),
  chooseEvaluation,
  setDevicesPerUser,
})
