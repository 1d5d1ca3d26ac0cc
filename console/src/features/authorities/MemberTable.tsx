// The members of an authority as a sortable table, with checkboxes in edit mode.
import { api } from '@acc/contract'
import type { AuthorityMember } from '@acc/contract/authorities'
import { formatDay } from '@acc/contract/labels/formats'
import { useState } from 'react'
import type { z } from 'zod'
import type { EditMode } from '../../kit/form/editMode.tsx'
import { type Sort, SortHead, TwoHeads } from '../../kit/table/SortHead.tsx'
import { sortRows } from '../../kit/table/sortRows.ts'
import { Table, type TableColumn, TwoLines, toggle } from '../../kit/table/Table.tsx'
import { useHeadings } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { UserStateDot } from '../users/exports.ts'
import css from './Authorities.module.css'
import { authoritiesTexts } from './authorities.ts'

export type Member = z.output<typeof AuthorityMember>

const BY = {
  name: (member: Member) => member.name,
  groupName: (member: Member) => member.groupName,
  state: (member: Member) => member.state,
  expireDT: (member: Member) => member.expireDT ?? '9999',
} as const
type MemberSort = Sort<keyof typeof BY>

const sorted = (members: readonly Member[], { by, order }: MemberSort): Member[] => [
  ...sortRows(sortRows(members, BY.name, order), BY[by], order),
]

type Props = { members: readonly Member[]; mode: EditMode<Member> }

export function MemberTable({ members, mode }: Props) {
  const { checked, check } = mode
  const t = useTexts(authoritiesTexts)
  const heading = useHeadings(api.users.search)
  const [order, setOrder] = useState<MemberSort>({ by: 'name', order: 'asc' })
  const head = (column: keyof typeof BY, title: string) => (
    <SortHead column={column} title={title} sort={order} onSort={setOrder} />
  )
  const columns: TableColumn<Member>[] = [
    {
      key: 'name',
      head: head('name', `${heading('name')} · ${heading('id')}`),
      width: 118,
      render: ({ name, id }) => <TwoLines above={name} below={id} />,
    },
    {
      key: 'groupName',
      head: head('groupName', `${heading('groupName')} · ${heading('email')}`),
      render: ({ groupName, email }) => <TwoLines above={groupName} below={email} />,
    },
    {
      key: 'state',
      head: <TwoHeads above={head('state', heading('state'))} below={head('expireDT', heading('expireDT'))} />,
      width: 148,
      render: (member) => (
        <TwoLines
          above={<UserStateDot user={member} />}
          below={member.expireDT === null ? t('never') : formatDay(member.expireDT)}
        />
      ),
    },
  ]
  const checks = mode.isOn ? { checked, onCheck: check, nameOf: ({ name }: Member) => name } : undefined
  return (
    <div className={css.members}>
      <Table<Member>
        kind="fills"
        label={t('admins')}
        minWidth={420}
        rows={sorted(members, order)}
        columns={columns}
        checks={checks}
        onRow={checks && ((member) => () => toggle(checks, member))}
      />
    </div>
  )
}
