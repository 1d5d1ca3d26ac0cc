// The exceptions of the network tab (spec S1 §2, §4, §9): lists of three rows a page, edited in the policy's form.
import { Permission } from '@acc/contract/labels/policies'
import {
  type ExceptionList as ListName,
  type LoopbackException,
  type NetworkException,
  portText,
  targetText,
} from '@acc/contract/policyExceptions'
import { type ReactNode, useState } from 'react'
import { EditableList, type ListColumn } from '../../kit/table/EditableList.tsx'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { useLabel } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { useEndText } from '../ends/exports.ts'
import { LoopbackExceptionDialog, NetworkExceptionDialog } from './ExceptionDialogs.tsx'
import { isEdited, isFull, withRow } from './exceptionValues.ts'
import { ListFrame } from './ListFrame.tsx'
import { policiesTexts } from './policies.ts'
import { endOfRow } from './policyLists.ts'

/** Rows of one page of an exception table. */
const ROWS = 3

type Props<T> = {
  name: ListName
  title: string
  rows: readonly T[]
  /** The rows of the policy above and its owner's name; null without one to compare with. */
  above: { name: string; rows: readonly T[] } | null
  /** Undefined: the rows are read-only. */
  edit?: { loaded: readonly T[]; set: (rows: T[]) => void; error: ReactNode } | undefined
}

/** The handlers of an editable list, and the row whose dialog is open; `new` for a new one. */
function useRows<T extends { idx: number }>({ rows, edit }: Props<T>) {
  const [open, setOpen] = useState<T | 'new'>()
  const remove = (removed: readonly T[]) => {
    const gone = new Set(removed.map(({ idx }) => idx))
    edit?.set(rows.filter(({ idx }) => !gone.has(idx)))
  }
  const apply = (row: T) => {
    setOpen(undefined)
    edit?.set(withRow(rows, row))
  }
  const handlers = edit && {
    ...(!isFull(rows) && { onAdd: () => setOpen('new') }),
    onEdit: (row: T) => setOpen(row),
    onRemove: remove,
    isChanged: (row: T) => isEdited(row, edit.loaded),
  }
  const dialog = open && {
    row: open === 'new' ? undefined : open,
    rows,
    onApply: apply,
    onClose: () => setOpen(undefined),
  }
  return { handlers, dialog }
}

type ListProps<T extends { idx: number; description: string }> = {
  list: Props<T>
  handlers: ReturnType<typeof useRows<T>>['handlers']
  nameOf: (row: T) => string
  /** Beside the description. */
  columns: readonly ListColumn<T>[]
  /** The open dialog. */
  children: ReactNode
}

/** A list of exceptions. Every exception has a description. */
function ExceptionList<T extends { idx: number; description: string }>(props: ListProps<T>) {
  const { list, handlers, nameOf, columns, children } = props
  const t = useTexts(policiesTexts)
  return (
    <ListFrame
      name={list.name}
      rows={list.rows}
      above={list.above}
      isOwn={list.edit !== undefined}
      error={list.edit?.error}
    >
      <EditableList
        title={list.title}
        items={list.rows}
        nameOf={nameOf}
        columns={[
          { title: t('exception.description'), width: 150, render: ({ description }) => description },
          ...columns,
        ]}
        empty={t('exception.none')}
        rowsPerPage={ROWS}
        {...handlers}
      />
      {children}
    </ListFrame>
  )
}

export function NetworkExceptions(props: Props<NetworkException>) {
  const t = useTexts(policiesTexts)
  const label = useLabel()
  const endText = useEndText()
  const { handlers, dialog } = useRows(props)
  return (
    <ExceptionList
      list={props}
      handlers={handlers}
      nameOf={({ description }) => description}
      columns={[
        { title: t('exception.target'), render: (row) => targetText(row) },
        { title: t('exception.port'), width: 64, render: ({ port }) => portText(port) },
        {
          title: t('exception.access'),
          width: 84,
          render: ({ access }) => (
            <StatusDot tone={access === Permission.ALLOW ? 'ok' : 'bad'}>{label(Permission.labels[access])}</StatusDot>
          ),
        },
        { title: t('exception.end'), width: 120, render: (row) => endText(endOfRow(row)) },
      ]}
    >
      {dialog && <NetworkExceptionDialog listTitle={props.title} {...dialog} />}
    </ExceptionList>
  )
}

export function LoopbackExceptions(props: Props<LoopbackException>) {
  const t = useTexts(policiesTexts)
  const { handlers, dialog } = useRows(props)
  return (
    <ExceptionList
      list={props}
      handlers={handlers}
      nameOf={({ processName }) => processName}
      columns={[{ title: t('exception.process'), render: ({ processName }) => processName }]}
    >
      {dialog && <LoopbackExceptionDialog listTitle={props.title} {...dialog} />}
    </ExceptionList>
  )
}
