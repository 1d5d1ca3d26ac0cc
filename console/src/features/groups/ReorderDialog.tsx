// Dialog that reorders sibling groups, by dragging or with arrow buttons.
import { api } from '@acc/contract'
import type { Group } from '@acc/contract/groups'
import { ActionIcon } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconGripVertical } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { Hint } from '../../kit/layout/Page.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Groups.module.css'
import { moved, withPresent } from './groupRows.ts'
import { groupsTexts } from './groups.ts'

export function ReorderDialog({ parent, onClose }: { parent: Group; onClose: () => void }) {
  const t = useTexts(groupsTexts)
  const [dragged, setDragged] = useState<number>()
  const form = useApiForm(api.groups.reorder, {
    initial: { orderedIdxes: parent.children.map(({ idx }) => idx) },
    notDrafted: ['orderedIdxes'],
    texts: { INVALID_INPUT: t('reorderOutdated') },
    done: t('reordered'),
    onDone: onClose,
  })
  const present = parent.children.map(({ idx }) => idx)
  const order = withPresent(form.values.orderedIdxes, present)
  // Others may add and delete groups while the dialog is open.
  useEffect(() => {
    if (order.join() !== form.values.orderedIdxes.join()) form.set('orderedIdxes', order)
  })
  const put = (idx: number, at: number) => form.set('orderedIdxes', moved(order, idx, at))
  const nameOf = (idx: number) => parent.children.find((child) => child.idx === idx)?.name ?? ''
  return (
    <FormDialog title={t('reorderTitle', { name: parent.name })} form={form} onClose={onClose}>
      <Hint>{t('reorderHint')}</Hint>
      <ol className={css.order}>
        {order.map((idx, at) => (
          <li
            key={idx}
            draggable
            data-dragged={idx === dragged || undefined}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move'
              setDragged(idx)
            }}
            onDragOver={(event) => {
              event.preventDefault()
              if (dragged !== undefined && dragged !== idx) put(dragged, at)
            }}
            onDragEnd={() => setDragged(undefined)}
          >
            <IconGripVertical size={14} aria-hidden />
            <span className="cut" title={nameOf(idx)}>
              {nameOf(idx)}
            </span>
            <ActionIcon
              size={24}
              aria-label={t('up', { name: nameOf(idx) })}
              disabled={at === 0}
              onClick={() => put(idx, at - 1)}
            >
              <IconArrowUp size={14} />
            </ActionIcon>
            <ActionIcon
              size={24}
              aria-label={t('down', { name: nameOf(idx) })}
              disabled={at === order.length - 1}
              onClick={() => put(idx, at + 1)}
            >
              <IconArrowDown size={14} />
            </ActionIcon>
          </li>
        ))}
      </ol>
    </FormDialog>
  )
}
