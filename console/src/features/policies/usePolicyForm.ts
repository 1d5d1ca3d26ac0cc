// The form of an own policy: its values, whole lists of exceptions, and the shortcuts that it puts on the desktop.
import { api } from '@acc/contract'
import type { Policy } from '@acc/contract/policies'
import { useState } from 'react'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { policiesTexts } from './policies.ts'
import { valuesOf } from './policyFields.ts'
import { byName, idxesOf, listsOf, SHORTCUT_FIELDS, type Shortcut, shortcutsOf } from './policyLists.ts'

type Kind = keyof typeof SHORTCUT_FIELDS

export function usePolicyForm(policy: Policy) {
  const t = useTexts(policiesTexts)
  const stored = shortcutsOf(policy)
  const form = useApiForm(api.policies.update, {
    initial: {
      ...valuesOf(policy),
      ...listsOf(policy),
      shortcutWebIdxes: idxesOf(stored.shortcutWebs),
      shortcutProgramIdxes: idxesOf(stored.shortcutPrograms),
    },
    fixed: { idx: policy.idx, revision: policy.revision },
    notDrafted: ['shortcutWebIdxes', 'shortcutProgramIdxes'],
    sends: 'changes',
    messages: {
      encryptionDefaultCapacity: t('capacityWithin'),
      encryptionMaxCapacity: t('capacity'),
      offlineDays: t('dayCount'),
    },
  })
  /** Shortcuts that were picked: the form holds their idxes only. */
  const [picked, setPicked] = useState<readonly Shortcut[]>([])
  const rowsOf = (kind: Kind): Shortcut[] => {
    const known = [...stored[kind], ...picked]
    const rows = form.values[SHORTCUT_FIELDS[kind]].flatMap((idx) => known.find((row) => row.idx === idx) ?? [])
    return byName(rows)
  }
  return {
    ...form,
    shortcuts: { shortcutWebs: rowsOf('shortcutWebs'), shortcutPrograms: rowsOf('shortcutPrograms') },
    setShortcuts: (kind: Kind, rows: readonly Shortcut[]) => {
      setPicked([...picked, ...rows])
      form.set(SHORTCUT_FIELDS[kind], idxesOf(rows))
    },
  }
}

export type PolicyFormState = ReturnType<typeof usePolicyForm>
