// Translated names of a policy's fields and values, and what differs between two policies, or two versions of one.
import { POLICY_FIELD_LABELS, POLICY_LIST_LABELS, policyValueText, UNIT_LABELS } from '@acc/contract/labels/policies'
import { Transfer } from '@acc/contract/labels/requests'
import type { PolicyStep } from '@acc/contract/policySteps'
import type { HeldChange } from '../../kit/form/conflictGuard.tsx'
import { useLabel } from '../../kit/texts/labels.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { loosenedIn } from './loosening.ts'
import { policiesTexts } from './policies.ts'
import { differences, type PolicyField } from './policyFields.ts'
import { type Contents, listChanges, type PolicyList, SHORTCUT_FIELDS } from './policyLists.ts'

export function usePolicyWords() {
  const language = useLanguage()
  return {
    fieldText: (field: PolicyField) => POLICY_FIELD_LABELS[field][language],
    nameText: (name: PolicyField | PolicyList) => ({ ...POLICY_FIELD_LABELS, ...POLICY_LIST_LABELS })[name][language],
    valueText: (field: PolicyField, value: number) => policyValueText(field, value, language),
    optionsOf: (field: PolicyField) =>
      Object.entries(POLICY_FIELD_LABELS[field].values ?? {}).map(([value, label]) => ({
        value,
        label: label[language],
      })),
    unitOf: (field: PolicyField) => {
      const { unit } = POLICY_FIELD_LABELS[field]
      return unit === undefined ? '' : UNIT_LABELS[unit][language]
    },
  }
}

/** Names the places of approval steps. */
export function useStepWords() {
  const t = useTexts(policiesTexts)
  const label = useLabel()
  const placeText = ({ type, step }: { type: Transfer; step: number }) =>
    t('steps.place', { direction: label(Transfer.labels[type]), step })
  return {
    placeText,
    stepText: (step: PolicyStep) => t('steps.named', { place: placeText(step), name: step.authorityName }),
  }
}

/** Entries of a list that are named one by one. */
const NAMED = 5

export type NamedChange = HeldChange & { name: PolicyField | PolicyList }

/** Returns the differences of two policies in words, in the order of the panel. */
export function usePolicyChanges(): (one: Contents, other: Contents) => NamedChange[] {
  const t = useTexts(policiesTexts)
  const { fieldText, valueText } = usePolicyWords()
  const label = useLabel()
  const { stepText } = useStepWords()
  /** The first entries of a list that are on one side only, and how many are on both. */
  const sideText = (entries: readonly string[], kept: number) => {
    const more = entries.length - NAMED
    const parts = [
      ...entries.slice(0, NAMED),
      ...(more > 0 ? [t('more', { count: more })] : []),
      ...(kept > 0 ? [t('listKept', { count: kept })] : []),
    ]
    return parts.join(', ')
  }
  return (one, other) => [
    ...differences(one, other).map((field) => ({
      name: field,
      label: fieldText(field),
      before: valueText(field, one[field]),
      after: valueText(field, other[field]),
      names: [field],
    })),
    ...listChanges(one, other, stepText).map(({ list, lost, gained, kept }) => ({
      name: list,
      label: label(POLICY_LIST_LABELS[list]),
      before: sideText(lost, kept),
      after: sideText(gained, kept),
      names: [list === 'shortcutWebs' || list === 'shortcutPrograms' ? SHORTCUT_FIELDS[list] : list],
    })),
  ]
}

/** Returns the differences with those first, and marked, that make the policy less strict; and how many these are. */
export function useMarkedChanges() {
  const t = useTexts(policiesTexts)
  const changesOf = usePolicyChanges()
  return (before: Contents, after: Contents) => {
    const loosened = loosenedIn(before, after)
    const isLooser = ({ name }: NamedChange) => loosened.has(name)
    const marked = changesOf(before, after).map((change) =>
      isLooser(change) ? { ...change, label: t('loosened', { label: change.label }) } : change,
    )
    const first = marked.filter(isLooser)
    return { changes: [...first, ...marked.filter((change) => !isLooser(change))], loosened: first.length }
  }
}
