// The question before a change that makes a policy less strict: old and new values, and the number of people.
import { OwnerType } from '@acc/contract/labels/policies'
import type { Policy } from '@acc/contract/policies'
import { Text } from '@mantine/core'
import { confirm } from '../../kit/dialogs/dialogs.tsx'
import { BeforeAfter } from '../../kit/layout/BeforeAfter.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { useReach } from '../groups/exports.ts'
import { policiesTexts } from './policies.ts'
import type { Contents } from './policyLists.ts'
import { useMarkedChanges } from './policyWords.ts'

/** Asks only if the contents are less strict than those of the stored policy. */
export function useLooseningQuestion(policy: Policy): (contents: Contents) => Promise<boolean> {
  const t = useTexts(policiesTexts)
  const kit = useTexts(kitTexts)
  const changesOf = useMarkedChanges()
  const reach = useReach(policy.reach)
  const isOfUser = policy.ownerType === OwnerType.USER
  return async (contents) => {
    const { changes, loosened } = changesOf(policy, contents)
    if (loosened === 0) return true
    return confirm({
      title: t('loosenTitle'),
      body: (
        <>
          <Text size="sm" mb={12}>
            {isOfUser ? t('loosenUser', { name: policy.owner.name }) : t('loosenGroup', reach)}
          </Text>
          <BeforeAfter changes={changes} />
        </>
      ),
      action: kit('save'),
    })
  }
}
