// The middle pane on the axis of authorities: adds, edits (checkboxes) and removes the members (spec S2 §2.1).
import { api } from '@acc/contract'
import type { AuthorityMember } from '@acc/contract/authorities'
import type { StoredEnd } from '@acc/contract/ends'
import { Role } from '@acc/contract/labels/access'
import type { User } from '@acc/contract/users'
import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { type EditMode, EditModeAction, ListActions, useEditMode } from '../../kit/form/editMode.tsx'
import { Empty } from '../../kit/layout/QueryState.tsx'
import { type Sort, SortHead, sortRows, TwoHeads } from '../../kit/table/SortHead.tsx'
import { Table, type TableColumn, TwoLines, toggle } from '../../kit/table/Table.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useHeadings } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { EndDialog, useEndText } from '../ends/exports.ts'
import { UserExpiry, UserPickerDialog, UserStateDot } from '../users/exports.ts'
import css from './Authorities.module.css'
import { authoritiesTexts } from './authorities.ts'

type Member = z.output<typeof AuthorityMember> & StoredEnd

const BY = {
  name: (member: Member) => member.name,
  groupName: (member: Member) => member.groupName,
  state: (member: Member) => member.state,
  expireDT: (member: Member) => member.expireDT ?? '9999',
  endDT: (member: Member) => member.endDT ?? '9999',
} as const
type MemberSort = Sort<keyof typeof BY>

const sorted = (members: readonly Member[], { by, order }: MemberSort): Member[] => [
  ...sortRows(sortRows(members, BY.name, order), BY[by], order),
]

type TableProps = { members: readonly Member[]; mode: EditMode<Member> }

/** The members as a sortable table, with checkboxes in edit mode. */
function MemberTable({ members, mode }: TableProps) {
  const { checked, check } = mode
  const t = useTexts(authoritiesTexts)
  const heading = useHeadings(api.users.search)
  const endText = useEndText()
  const [order, setOrder] = useState<MemberSort>({ by: 'name', order: 'asc' })
  const head = (column: keyof typeof BY, title: string) => ({
    title,
    head: <SortHead column={column} title={title} sort={order} onSort={setOrder} />,
  })
  const columns: TableColumn<Member>[] = [
    {
      key: 'name',
      ...head('name', `${heading('name')} · ${heading('id')}`),
      width: 110,
      render: ({ name, id }) => <TwoLines above={name} below={id} />,
    },
    {
      key: 'groupName',
      ...head('groupName', `${heading('groupName')} · ${heading('email')}`),
      render: ({ groupName, email }) => <TwoLines above={groupName} below={email} />,
    },
    {
      key: 'state',
      title: heading('state'),
      head: (
        <TwoHeads above={head('state', heading('state')).head} below={head('expireDT', heading('expireDT')).head} />
      ),
      width: 126,
      render: (member) => (
        <TwoLines above={<UserStateDot user={member} />} below={<UserExpiry day={member.expireDT} />} />
      ),
    },
    { key: 'endDT', ...head('endDT', t('end')), width: 112, render: (member) => endText(member) },
  ]
  const checks = mode.isOn ? { checked, onCheck: check, nameOf: ({ name }: Member) => name } : undefined
  return (
    <div className={css.members}>
      <Table<Member>
        kind="fills"
        label={t('admins')}
        minWidth={450}
        rows={sorted(members, order)}
        columns={columns}
        checks={checks}
        onRow={checks && ((member) => () => toggle(checks, member))}
      />
    </div>
  )
}

type Props = {
  members: readonly Member[]
  /** Returns whether it succeeded; otherwise the dialog stays open. */
  onAdd: (users: User[], end: StoredEnd) => Promise<boolean> | boolean
  onEnd: (members: readonly Member[], end: StoredEnd) => Promise<boolean> | boolean
  onRemove: (members: readonly Member[]) => Promise<boolean> | boolean
  /** Asks about unsaved changes before the members of a stored authority change. */
  guard?: (action: () => void) => () => void
  isRunning?: boolean
  /** Validation error of the members. */
  error?: ReactNode
  emptyHint: string
}

export function MembersPane(props: Props) {
  const { members, onAdd, onEnd, onRemove, guard, isRunning = false, error, emptyHint } = props
  const t = useTexts(authoritiesTexts)
  const kit = useTexts(kitTexts)
  const [isAdding, setAdding] = useState(false)
  const mode = useEditMode(members)
  const known = new Set(members.map(({ idx }) => idx))
  const remove = async () => (await onRemove(mode.checked)) && mode.turn(false)
  /** New members, or checked ones, whose end is being chosen. */
  const [ending, setEnding] = useState<{ added: User[] } | { members: readonly Member[] }>()
  const apply = async (end: StoredEnd) => {
    if (ending === undefined) return
    if (!(await ('added' in ending ? onAdd(ending.added, end) : onEnd(ending.members, end)))) return
    setEnding(undefined)
    setAdding(false)
    mode.turn(false)
  }
  const whyLocked = (user: User) => {
    if (user.role === Role.ADMIN) return t('adminLocked')
    return known.has(user.idx) ? t('userAdded') : undefined
  }
  return (
    <section className="fill" aria-label={t('admins')}>
      <div className={css.middleHead}>
        <h2>
          {t('admins')}{' '}
          <span>{mode.isOn ? kit('list.selectedPeople', { count: mode.checked.length }) : members.length}</span>
        </h2>
        <EditModeAction
          mode={mode}
          label={t('changeEnd')}
          subject={t('admins')}
          isBusy={isRunning}
          onClick={() => setEnding({ members: mode.checked })}
        />
        <ListActions
          mode={mode}
          subject={t('admins')}
          isEmpty={members.length === 0}
          guard={guard}
          editLabel={t('edit')}
          onRemove={() => void remove()}
          removeLabel={t('exclude')}
          isBusy={isRunning}
          onAdd={() => setAdding(true)}
        />
      </div>
      {error && (
        <p className={`${css.error} ${css.membersError}`} role="alert">
          {error}
        </p>
      )}
      {members.length === 0 ? (
        <Empty title={t('noAdmins')} hint={emptyHint} />
      ) : (
        <MemberTable members={members} mode={mode} />
      )}
      {isAdding && (
        <UserPickerDialog
          title={t('addAdmins')}
          action={kit('add')}
          whyLocked={whyLocked}
          isRunning={isRunning}
          onClose={() => setAdding(false)}
          onPick={(added) => setEnding({ added })}
        />
      )}
      {ending && (
        <EndDialog
          title={t('end')}
          body={t('endOf', { count: 'added' in ending ? ending.added.length : ending.members.length })}
          action={'added' in ending ? kit('add') : t('changeEnd')}
          isRunning={isRunning}
          onApply={(end) => void apply(end)}
          onClose={() => setEnding(undefined)}
        />
      )}
    </section>
  )
}
