// Two groups side by side: only the values and lists in which their policies differ.
import { api } from '@acc/contract'
import type { Group } from '@acc/contract/groups'
import { OwnerType } from '@acc/contract/labels/policies'
import { Select } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useApiQuery } from '../../kit/api/query.ts'
import { DialogWindow } from '../../kit/dialogs/DialogWindow.tsx'
import { BeforeAfter } from '../../kit/layout/BeforeAfter.tsx'
import { Hint } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { flattenGroups, useGroupIndex } from '../groups/exports.ts'
import css from './PolicyMap.module.css'
import { policiesTexts } from './policies.ts'
import { usePolicyChanges } from './policyWords.ts'

/** Groups offered at once; typing finds the others. */
const OFFERED = 50

const usePolicyOf = (idx: number) => useApiQuery(api.policies.find, { ownerIdx: idx, ownerType: OwnerType.GROUP })

function Differences({ pair: [first, second] }: { pair: readonly [number, number] }) {
  const t = useTexts(policiesTexts)
  const changesOf = usePolicyChanges()
  const { find } = useGroupIndex()
  const other = usePolicyOf(second)
  return (
    <QueryState of={usePolicyOf(first)}>
      {(one) => (
        <QueryState of={other}>
          {(two) => {
            const changes = changesOf(one, two)
            if (changes.length === 0) return <Hint>{t('compare.equal')}</Hint>
            return <BeforeAfter changes={changes} sides={[find(first)?.name ?? '', find(second)?.name ?? '']} />
          }}
        </QueryState>
      )}
    </QueryState>
  )
}

type Props = { groups: readonly Group[]; first: Group | undefined; onClose: () => void }

/** Compares a group with its parent, or with another one. */
export function PolicyCompare({ groups, first, onClose }: Props) {
  const t = useTexts(policiesTexts)
  const { pathOf } = useGroupIndex()
  const [one, setOne] = useState<number | null>(first?.idx ?? null)
  const [two, setTwo] = useState<number | null>(first?.parentIdx ?? null)
  const options = useMemo(
    () => flattenGroups(groups).map(({ group: { idx } }) => ({ value: idx, label: pathOf(idx).join(' › ') })),
    [groups, pathOf],
  )
  const common = {
    data: options,
    searchable: true,
    openOnFocus: false,
    limit: OFFERED,
    nothingFoundMessage: t('map.noMatch'),
  }
  return (
    <DialogWindow title={t('compare.title')} size={640} onClose={onClose}>
      <div className={css.pair}>
        <Select {...common} label={t('compare.first')} value={one} onChange={setOne} data-autofocus />
        <Select {...common} label={t('compare.second')} value={two} onChange={setTwo} />
      </div>
      {one === null || two === null ? <Hint>{t('compare.hint')}</Hint> : <Differences pair={[one, two]} />}
    </DialogWindow>
  )
}
