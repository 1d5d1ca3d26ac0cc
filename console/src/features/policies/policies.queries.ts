// Queries of the policy screen.
import { api } from '@acc/contract'
import type { OwnerType } from '@acc/contract/labels/policies'
import { useApiQuery } from '../../kit/api/query.ts'

/** The owner of a policy: a group or a user. */
export type Owner = { ownerIdx: number; ownerType: OwnerType }

export const usePolicy = (owner: Owner) => useApiQuery(api.policies.find, owner)
