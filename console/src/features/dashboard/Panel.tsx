// The frames of a panel: its title and the content next to the title; a line where the viewer lacks the permission
// (spec S2 §6); a chart with its numbers as a table.
import { Group } from '@mantine/core'
import { IconChartBar, IconTable } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { IconButton } from '../../kit/layout/IconButton.tsx'
import { Table } from '../../kit/table/Table.tsx'
import { useNameOf } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Dashboard.module.css'
import { dashboardTexts } from './dashboard.ts'

type PanelProps = { title: string; aside?: ReactNode; children: ReactNode }

export function Panel({ title, aside, children }: PanelProps) {
  const id = useId()
  return (
    <section className={css.panel} aria-labelledby={id}>
      <div className={css.head}>
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}

/** A panel that the viewer may not see. */
export function Refusal({ title, children }: { title: string; children: string }) {
  const id = useId()
  return (
    <section className={css.refusal} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p>{children}</p>
    </section>
  )
}

type Numbers = { heads: readonly string[]; rows: readonly (readonly string[])[] }
type Props = {
  title: string
  aside?: ReactNode
  /** Between the title and the chart. */
  legend?: ReactNode
  /** Undefined while there is nothing to show. */
  table: Numbers | undefined
  children: ReactNode
}

function Numbers({ title, heads, rows }: Numbers & { title: string }) {
  const t = useTexts(dashboardTexts)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by the keyboard
    <section className={css.numbers} aria-label={t('tableOf', { title })} tabIndex={0}>
      <Table<{ idx: number; cells: readonly string[] }>
        kind="list"
        label={title}
        rows={rows.map((cells, idx) => ({ idx, cells }))}
        columns={heads.map((head, at) => ({
          key: head,
          title: head,
          align: at === 0 ? 'left' : 'right',
          render: ({ cells }) => cells[at],
        }))}
      />
    </section>
  )
}

/** The panel of a chart, with the same numbers as a table on demand. */
export function ChartPanel({ title, aside, legend, table, children }: Props) {
  const t = useTexts(dashboardTexts)
  const [isTable, setTable] = useState(false)
  const label = t(isTable ? 'showChart' : 'showTable')
  return (
    <Panel
      title={title}
      aside={
        <Group gap={8} wrap="nowrap">
          {aside}
          <IconButton label={label} aria-label={useNameOf(title)(label)} onClick={() => setTable(!isTable)}>
            {isTable ? <IconChartBar size={16} stroke={1.6} /> : <IconTable size={16} stroke={1.6} />}
          </IconButton>
        </Group>
      }
    >
      {table && !isTable && legend}
      <div className={css.plot}>{table && (isTable ? <Numbers title={title} {...table} /> : children)}</div>
    </Panel>
  )
}
