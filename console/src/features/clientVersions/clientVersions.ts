// Texts and reads of the client management screen.
import { api } from '@acc/contract'
import { useApiQuery } from '../../kit/api/query.ts'
import { defineTexts } from '../../kit/texts/texts.ts'

export const clientVersionsTexts = defineTexts(
  () => import('./clientVersions.ko.json'),
  () => import('./clientVersions.en.json'),
)

export const useDeployed = () => useApiQuery(api.clientVersions.findDeployed, {})
