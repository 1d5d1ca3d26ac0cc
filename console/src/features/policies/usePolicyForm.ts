// The form of an own policy: its values, whole lists of exceptions, and the shortcuts it puts on the desktop.
import { api } from '@acc/contract'
import type { Policy } from '@acc/contract/policies'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { policiesTexts } from './policies.texts.ts'
import { valuesOf } from './policyFields.ts'
import { listsOf } from './policyLists.ts'

export function usePolicyForm(policy: Policy) {
  const t = useTexts(policiesTexts)
  return useApiForm(api.policies.update, {
    initial: { ...valuesOf(policy), ...listsOf(policy) },
    fixed: { idx: policy.idx, revision: policy.revision },
    sends: 'changes',
    messages: {
      encryptionDefaultCapacity: t('capacityWithin'),
      encryptionMaxCapacity: t('capacity'),
      offlineDays: t('dayCount'),
    },
  })
}

export type PolicyFormState = ReturnType<typeof usePolicyForm>
