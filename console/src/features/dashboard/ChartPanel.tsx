// The panel of a chart, with the same numbers as a table on demand.
import { ActionIcon, Group, Tooltip } from '@mantine/core'
import { IconChartBar, IconTable } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Table } from '../../kit/table/Table.tsx'
import { useNameOf } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Dashboard.module.css'
import { dashboardTexts } from './dashboard.ts'
import { Panel } from './Panel.tsx'

export type Numbers = { heads: readonly string[]; rows: readonly (readonly string[])[] }
type Props = {
  title: string
  refusal: string | undefined
  aside?: ReactNode
  /** Undefined while there is nothing to show. */
  table: Numbers | undefined
  children: ReactNode
}

function Numbers({ title, heads, rows }: Numbers & { title: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by the keyboard
    <div className={css.numbers} tabIndex={0}>
      <Table<{ idx: number; cells: readonly string[] }>
        kind="list"
        label={title}
        rows={rows.map((cells, idx) => ({ idx, cells }))}
        columns={heads.map((head, at) => ({
          key: head,
          head,
          align: at === 0 ? 'left' : 'right',
          render: ({ cells }) => cells[at],
        }))}
      />
    </div>
  )
}

export function ChartPanel({ title, refusal, aside, table, children }: Props) {
  const t = useTexts(dashboardTexts)
  const [isTable, setTable] = useState(false)
  const label = t(isTable ? 'showChart' : 'showTable')
  return (
    <Panel
      title={title}
      refusal={refusal}
      aside={
        <Group gap={8} wrap="nowrap">
          {aside}
          <Tooltip label={label}>
            <ActionIcon aria-label={useNameOf(title)(label)} onClick={() => setTable(!isTable)}>
              {isTable ? <IconChartBar size={16} stroke={1.6} /> : <IconTable size={16} stroke={1.6} />}
            </ActionIcon>
          </Tooltip>
        </Group>
      }
    >
      <div className={css.plot}>{table && (isTable ? <Numbers title={title} {...table} /> : children)}</div>
    </Panel>
  )
}
