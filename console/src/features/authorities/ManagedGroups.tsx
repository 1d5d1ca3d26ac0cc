// The managed groups of an authority, which include their subgroups; picked in the group tree (spec S2 §2.1).
import { Text } from '@mantine/core'
import { useState } from 'react'
import { EditableList } from '../../kit/table/EditableList.tsx'
import { TwoLines } from '../../kit/table/Table.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { GroupsPickerDialog, useGroupIndex } from '../groups/exports.ts'
import css from './Authorities.module.css'
import type { FieldsForm } from './AuthorityFields.tsx'
import { ascending, authoritiesTexts } from './authorities.ts'

type NamedGroup = { idx: number; name: string; path: string[] }
type Props = { form: FieldsForm; isReadOnly: boolean; known: readonly NamedGroup[] }

/** Returns the groups with their names, ordered by path. */
function useNamed(idxes: readonly number[], known: readonly NamedGroup[]): NamedGroup[] {
  const { find, pathOf, rows } = useGroupIndex()
  const placeOf = new Map(rows.map(({ group }, at) => [group.idx, at]))
  const named = idxes.map((idx) => {
    const group = find(idx)
    if (group) return { idx, name: group.name, path: pathOf(idx) }
    return known.find((one) => one.idx === idx) ?? { idx, name: '-', path: [] }
  })
  return named.sort((a, b) => (placeOf.get(a.idx) ?? 0) - (placeOf.get(b.idx) ?? 0))
}

export function ManagedGroups({ form, isReadOnly, known }: Props) {
  const t = useTexts(authoritiesTexts)
  const kit = useTexts(kitTexts)
  const [isAdding, setAdding] = useState(false)
  const { groupIdxes } = form.values
  const groups = useNamed(groupIdxes, known)
  const set = (idxes: readonly number[]) => form.set('groupIdxes', ascending(idxes))
  const remove = (removed: readonly NamedGroup[]) => {
    const gone = new Set(removed.map(({ idx }) => idx))
    set(groupIdxes.filter((idx) => !gone.has(idx)))
  }
  const { error } = form.field('groupIdxes')
  return (
    <div className={css.groups} data-changed={form.changed.includes('groupIdxes') || undefined}>
      <EditableList
        title={t('groups')}
        items={groups}
        nameOf={({ name }) => name}
        columns={[
          {
            title: t('group'),
            render: ({ name, path }) => (
              <TwoLines
                above={name}
                below={path.length > 1 && <span title={path.join(' › ')}>{path.slice(0, -1).join(' › ')}</span>}
              />
            ),
          },
        ]}
        empty={t('noGroupsYet')}
        {...(isReadOnly ? {} : { onAdd: () => setAdding(true), onRemove: remove, removeLabel: t('exclude') })}
      />
      {error && <p className={css.error}>{error}</p>}
      <Text className="quiet" mt={-8}>
        {t('covers')}
      </Text>
      {isAdding && (
        <GroupsPickerDialog
          title={t('addGroups')}
          action={kit('add')}
          initial={[]}
          taken={groupIdxes}
          whyDisabled={({ idx }) => (groupIdxes.includes(idx) ? t('groupAdded') : undefined)}
          onClose={() => setAdding(false)}
          onPick={(idxes) => {
            set([...groupIdxes, ...idxes])
            setAdding(false)
          }}
        />
      )}
    </div>
  )
}
