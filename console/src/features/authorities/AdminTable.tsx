// The people who hold an authority, as a table: sorted by its heads, with checkboxes while it is edited.
import type { AuthorityUser } from '@acc/contract/authorities'
import { formatDay } from '@acc/contract/labels/formats'
import { DataTable, type DataTableColumn } from 'mantine-datatable'
import { useState } from 'react'
import type { z } from 'zod'
import { type Sort, SortHead } from '../../kit/table/SortHead.tsx'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Authorities.module.css'
import { adminStatus } from './adminStatus.ts'
import { authoritiesTexts } from './authorities.texts.ts'
import 'mantine-datatable/styles.layer.css'

export type Admin = z.output<typeof AuthorityUser>

const BY = {
  name: (admin: Admin) => admin.name,
  groupName: (admin: Admin) => admin.groupName,
  state: (admin: Admin) => admin.state,
  expireDT: (admin: Admin) => admin.expireDT ?? '9999',
} as const
type Sorted = Sort<keyof typeof BY>

const people = new Intl.Collator('ko', { numeric: true })

function sorted(admins: readonly Admin[], { by, order }: Sorted): Admin[] {
  const columnOf = BY[by]
  const sign = order === 'asc' ? 1 : -1
  return [...admins].sort((a, b) => {
    const [one, other] = [columnOf(a), columnOf(b)]
    const compared =
      typeof one === 'number' && typeof other === 'number' ? one - other : people.compare(String(one), String(other))
    return sign * (compared || people.compare(a.name, b.name) || a.idx - b.idx)
  })
}

const TwoLines = ({ above, below }: { above: string; below: string }) => (
  <span className={css.twoLines}>
    <span title={above}>{above}</span>
    <small title={below}>{below}</small>
  </span>
)

type Props = {
  admins: readonly Admin[]
  isEditing: boolean
  checked: readonly Admin[]
  onCheck: (admins: Admin[]) => void
}

export function AdminTable({ admins, isEditing, checked, onCheck }: Props) {
  const t = useTexts(authoritiesTexts)
  const kit = useTexts(kitTexts)
  const [order, setOrder] = useState<Sorted>({ by: 'name', order: 'asc' })
  const columns: (DataTableColumn<Admin> & { accessor: keyof typeof BY; title: string })[] = [
    {
      accessor: 'name',
      title: t('nameAndId'),
      width: 118,
      render: ({ name, id }) => <TwoLines above={name} below={id} />,
    },
    {
      accessor: 'groupName',
      title: t('groupAndEmail'),
      render: ({ groupName, email }) => <TwoLines above={groupName} below={email} />,
    },
    {
      accessor: 'state',
      title: t('state'),
      width: 116,
      render: ({ state }) => <StatusDot tone={adminStatus(state).tone}>{t(adminStatus(state).word)}</StatusDot>,
    },
    { accessor: 'expireDT', title: t('expires'), width: 92, render: ({ expireDT }) => formatDay(expireDT) },
  ]
  const selection = {
    selectedRecords: [...checked],
    onSelectedRecordsChange: onCheck,
    allRecordsSelectionCheckboxProps: { 'aria-label': kit('selectAll') },
    getRecordSelectionCheckboxProps: ({ name }: Admin) => ({ 'aria-label': kit('selectRow', { name }) }),
  }
  return (
    <DataTable<Admin>
      classNames={{ root: css.tableRoot, table: css.table, header: css.tableHeader }}
      aria-label={t('admins')}
      height="100%"
      minHeight={0}
      miw={420}
      idAccessor="idx"
      records={sorted(admins, order)}
      columns={columns.map(({ title, ...column }) => ({
        ...column,
        title: <SortHead column={column.accessor} title={title} sort={order} onSort={setOrder} />,
      }))}
      {...(isEditing
        ? {
            ...selection,
            onRowClick: ({ record }: { record: Admin }) => {
              const others = checked.filter(({ idx }) => idx !== record.idx)
              onCheck(others.length < checked.length ? others : [...checked, record])
            },
          }
        : {})}
      // Says nothing; without anybody there is no table.
      emptyState={<span hidden />}
    />
  )
}
