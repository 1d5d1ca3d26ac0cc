// The members of an authority as a sortable table, with checkboxes in edit mode.
import { api } from '@acc/contract'
import type { AuthorityMember } from '@acc/contract/authorities'
import { formatDay } from '@acc/contract/labels/formats'
import { DataTable, type DataTableColumn } from 'mantine-datatable'
import { useState } from 'react'
import type { z } from 'zod'
import type { EditMode } from '../../kit/form/editMode.tsx'
import { type Sort, SortHead, TwoHeads } from '../../kit/table/SortHead.tsx'
import { sortRows } from '../../kit/table/sortRows.ts'
import { TwoLines } from '../../kit/table/TwoLines.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useHeadings } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { UserStateDot } from '../users/exports.ts'
import css from './Authorities.module.css'
import { authoritiesTexts } from './authorities.ts'
import 'mantine-datatable/styles.layer.css'

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
  const kit = useTexts(kitTexts)
  const heading = useHeadings(api.users.search)
  const [order, setOrder] = useState<MemberSort>({ by: 'name', order: 'asc' })
  const head = (column: keyof typeof BY, title: string) => (
    <SortHead column={column} title={title} sort={order} onSort={setOrder} />
  )
  const columns: DataTableColumn<Member>[] = [
    {
      accessor: 'name',
      title: head('name', `${heading('name')} · ${heading('id')}`),
      width: 118,
      render: ({ name, id }) => <TwoLines above={name} below={id} />,
    },
    {
      accessor: 'groupName',
      title: head('groupName', `${heading('groupName')} · ${heading('email')}`),
      render: ({ groupName, email }) => <TwoLines above={groupName} below={email} />,
    },
    {
      accessor: 'state',
      title: <TwoHeads above={head('state', heading('state'))} below={head('expireDT', heading('expireDT'))} />,
      width: 148,
      render: (member) => (
        <TwoLines
          above={<UserStateDot user={member} />}
          below={member.expireDT === null ? t('never') : formatDay(member.expireDT)}
        />
      ),
    },
  ]
  const selection = {
    selectedRecords: [...checked],
    onSelectedRecordsChange: check,
    allRecordsSelectionCheckboxProps: { 'aria-label': kit('selectAll') },
    getRecordSelectionCheckboxProps: ({ name }: Member) => ({ 'aria-label': kit('selectRow', { name }) }),
  }
  return (
    <DataTable<Member>
      classNames={{ root: css.tableRoot, table: css.table, header: css.tableHeader }}
      aria-label={t('admins')}
      height="100%"
      minHeight={0}
      miw={420}
      idAccessor="idx"
      records={sorted(members, order)}
      columns={columns}
      {...(mode.isOn
        ? {
            ...selection,
            onRowClick: ({ record }: { record: Member }) => {
              const others = checked.filter(({ idx }) => idx !== record.idx)
              check(others.length < checked.length ? others : [...checked, record])
            },
          }
        : {})}
      // Empty: without members the table is not rendered.
      emptyState={<span hidden />}
    />
  )
}
