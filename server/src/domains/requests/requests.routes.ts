import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { downloadOwn, downloadRequest } from './requests.downloads.ts'
import { cancelRequest, createRequest, searchOwn } from './requests.own.ts'
import { previewFile } from './requests.previews.ts'
import { decideRequest, findRequestDetail, rejectRequests, searchRequests } from './requests.service.ts'
import { receiveFile } from './requests.uploads.ts'

export default routes(api.requests, {
  search: searchRequests,
  find: findRequestDetail,
  decide: decideRequest,
  rejectMany: rejectRequests,
  download: downloadRequest,
  preview: previewFile,
  create: createRequest,
  upload: receiveFile,
  cancel: cancelRequest,
  searchOwn,
  downloadOwn,
})
