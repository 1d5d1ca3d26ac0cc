// The shortcut tab (spec S1 §2, §7, §9): the web pages and programs that a policy puts on the virtual desktop, compared
// with those of the policy above.
import { POLICY_LIST_LABELS } from '@acc/contract/labels/policies'
import type { Policy } from '@acc/contract/policies'
import { type ComponentType, useState } from 'react'
import { EditableList } from '../../kit/table/EditableList.tsx'
import { useLabel } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { ListFrame } from './ListFrame.tsx'
import { policiesTexts } from './policies.ts'
import { bare, type Shortcut, shortcutsOf } from './policyLists.ts'
import { ProgramPicker, ShortcutName, WebPicker } from './ShortcutPicker.tsx'
import type { PolicyFormState } from './usePolicyForm.tsx'

/** Rows of one page. */
const ROWS = 10

type Name = 'shortcutWebs' | 'shortcutPrograms'
type ListProps = {
  name: Name
  title: string
  targetTitle: string
  rows: readonly Shortcut[]
  loaded: readonly Shortcut[]
  above: { name: string; rows: readonly Shortcut[] } | null
  edit?:
    | { set: (rows: readonly Shortcut[]) => void; Picker: ComponentType<Parameters<typeof WebPicker>[0]> }
    | undefined
}

function ShortcutList({ name, title, targetTitle, rows, loaded, above, edit }: ListProps) {
  const t = useTexts(policiesTexts)
  const [isAdding, setAdding] = useState(false)
  const has = new Set(rows.map(({ idx }) => idx))
  const former = new Set(loaded.map(({ idx }) => idx))
  const handlers = edit && {
    onAdd: () => setAdding(true),
    onRemove: (removed: readonly Shortcut[]) => edit.set(rows.filter((row) => !removed.includes(row))),
    isChanged: ({ idx }: Shortcut) => !former.has(idx),
  }
  const comparable = above && { name: above.name, rows: above.rows.map(bare) }
  return (
    <ListFrame name={name} rows={rows.map(bare)} above={comparable} isOwn={edit !== undefined}>
      <EditableList
        title={title}
        items={rows}
        nameOf={({ name }) => name}
        columns={[
          { title: t('shortcut.name'), width: 220, render: (shortcut) => <ShortcutName shortcut={shortcut} /> },
          { title: targetTitle, render: ({ target }) => target },
        ]}
        empty={t('shortcut.none')}
        rowsPerPage={ROWS}
        {...handlers}
      />
      {edit && isAdding && (
        <edit.Picker
          title={t('shortcut.addTo', { list: title })}
          has={has}
          onClose={() => setAdding(false)}
          onPick={(picked) => {
            setAdding(false)
            edit.set([...rows, ...picked])
          }}
        />
      )}
    </ListFrame>
  )
}

/** Without a form the lists are read-only. */
type Props = { policy: Policy; form?: PolicyFormState }

export function PolicyShortcuts({ policy, form }: Props) {
  const t = useTexts(policiesTexts)
  const label = useLabel()
  const loaded = shortcutsOf(policy)
  const shown = form?.shortcuts ?? loaded
  const above = policy.above && shortcutsOf(policy.above)
  const propsOf = (list: Name) => ({
    name: list,
    title: label(POLICY_LIST_LABELS[list]),
    rows: shown[list],
    loaded: loaded[list],
    above: above && { name: policy.aboveOwnerName ?? '', rows: above[list] },
  })
  const setOf = (list: Name) => (rows: readonly Shortcut[]) => form?.setShortcuts(list, rows)
  return (
    <>
      <ShortcutList
        {...propsOf('shortcutWebs')}
        targetTitle="URL"
        edit={form && { set: setOf('shortcutWebs'), Picker: WebPicker }}
      />
      <ShortcutList
        {...propsOf('shortcutPrograms')}
        targetTitle={t('shortcut.path')}
        edit={form && { set: setOf('shortcutPrograms'), Picker: ProgramPicker }}
      />
    </>
  )
}
