// What the policy screen asks for.
import { api } from '@acc/contract'
import type { OwnerType } from '@acc/contract/labels/policies'
import { useApiQuery } from '../../kit/api/query.ts'

/** Whose policy: a group's or a user's. */
export type Owner = { ownerIdx: number; ownerType: OwnerType }

export const usePolicy = (owner: Owner) => useApiQuery(api.policies.find, owner)
