// The form of an own policy: its values, approval steps, whole lists of exceptions, and the shortcuts on the desktop.
import { api } from '@acc/contract'
import { OwnerType } from '@acc/contract/labels/policies'
import type { Policy } from '@acc/contract/policies'
import { POLICY_AMOUNTS } from '@acc/contract/policyValues'
import { Text } from '@mantine/core'
import { useState } from 'react'
import { confirm } from '../../kit/dialogs/dialogs.tsx'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { BeforeAfter } from '../../kit/layout/BeforeAfter.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { useReach } from '../groups/exports.ts'
import { policiesTexts } from './policies.ts'
import { valuesOf } from './policyFields.ts'
import type { Contents } from './policyLists.ts'
import { byName, idxesOf, listsOf, namedShortcuts, SHORTCUT_FIELDS, type Shortcut, shortcutsOf } from './policyLists.ts'
import { useMarkedChanges } from './policyWords.ts'

/** Asks only if the contents are less strict than those of the stored policy. */
function useLooseningQuestion(policy: Policy): (contents: Contents) => Promise<boolean> {
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

type Kind = keyof typeof SHORTCUT_FIELDS

export function usePolicyForm(policy: Policy) {
  const t = useTexts(policiesTexts)
  const stored = shortcutsOf(policy)
  const askToLoosen = useLooseningQuestion(policy)
  /** Shortcuts that were picked: the form holds their idxes only. */
  const [picked, setPicked] = useState<readonly Shortcut[]>([])
  const rowsOf = (kind: Kind, values: Record<(typeof SHORTCUT_FIELDS)[Kind], readonly number[]>): Shortcut[] => {
    const known = [...stored[kind], ...picked]
    const rows = values[SHORTCUT_FIELDS[kind]].flatMap((idx) => known.find((row) => row.idx === idx) ?? [])
    return byName(rows)
  }
  const form = useApiForm(api.policies.update, {
    initial: {
      ...valuesOf(policy),
      // With the names of their authorities, which the call leaves out.
      approvalSteps: policy.approvalSteps,
      ...listsOf(policy),
      shortcutWebIdxes: idxesOf(stored.shortcutWebs),
      shortcutProgramIdxes: idxesOf(stored.shortcutPrograms),
    },
    fixed: { idx: policy.idx, revision: policy.revision },
    notDrafted: ['shortcutWebIdxes', 'shortcutProgramIdxes'],
    sends: 'changes',
    fields: { UNFIT_AUTHORITY: 'approvalSteps', NO_DECIDER: 'approvalSteps', SELF_ACTION: 'approvalSteps' },
    // Own personal policies have no form, so this is about steps.
    texts: { SELF_ACTION: t('steps.own') },
    messages: {
      ...Object.fromEntries(Object.entries(POLICY_AMOUNTS).map(([field, limits]) => [field, t('amount', limits)])),
      encryptionDefaultCapacity: t('capacityWithin'),
    },
    confirm: (values) => {
      const { shortcutWebIdxes, shortcutProgramIdxes, ...contents } = values
      const idxes = { shortcutWebIdxes, shortcutProgramIdxes }
      return askToLoosen({
        ...contents,
        ...namedShortcuts(rowsOf('shortcutWebs', idxes), rowsOf('shortcutPrograms', idxes)),
      })
    },
  })
  return {
    ...form,
    shortcuts: {
      shortcutWebs: rowsOf('shortcutWebs', form.values),
      shortcutPrograms: rowsOf('shortcutPrograms', form.values),
    },
    setShortcuts: (kind: Kind, rows: readonly Shortcut[]) => {
      setPicked([...picked, ...rows])
      form.set(SHORTCUT_FIELDS[kind], idxesOf(rows))
    },
  }
}

export type PolicyFormState = ReturnType<typeof usePolicyForm>
