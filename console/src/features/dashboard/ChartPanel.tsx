// The panel of a chart, with the same numbers as a table on demand.
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconChartBar, IconTable } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useNameOf } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Dashboard.module.css'
import { dashboardTexts } from './dashboard.ts'
import { Panel } from './Panel.tsx'

export type Table = { heads: readonly string[]; rows: readonly (readonly string[])[] }
type Props = {
  title: string
  refusal: string | undefined
  aside?: ReactNode
  /** Undefined while there is nothing to show. */
  table: Table | undefined
  children: ReactNode
}

function Numbers({ title, heads, rows }: Table & { title: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by the keyboard
    <div className={css.scroll} tabIndex={0}>
      <table className={css.table} aria-label={title}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first = '', ...rest]) => (
            <tr key={first}>
              <th scope="row">{first}</th>
              {rest.map((cell, at) => (
                <td key={heads[at + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
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
        <span className={css.tools}>
          {aside}
          <Tooltip label={label}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={useNameOf(title)(label)}
              onClick={() => setTable(!isTable)}
            >
              {isTable ? <IconChartBar size={16} stroke={1.6} /> : <IconTable size={16} stroke={1.6} />}
            </ActionIcon>
          </Tooltip>
        </span>
      }
    >
      <div className={css.plot}>{table && (isTable ? <Numbers title={title} {...table} /> : children)}</div>
    </Panel>
  )
}
