// The tabs of a pane: the chosen one fills it, and its content scrolls.
import { Tabs } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import css from './PaneTabs.module.css'
import { Loading } from './QueryState.tsx'

type Props<T extends string> = {
  /** Accessible name of the tabs. */
  label: string
  tabs: readonly { value: T; label: string }[]
  value: T
  onChange: (tab: T) => void
  /** At the end of the line of tabs. */
  aside?: ReactNode
  children: ReactNode
}

export function PaneTabs<T extends string>({ label, tabs, value, onChange, aside, children }: Props<T>) {
  const choose = (chosen: string | null) => {
    const tab = tabs.find((one) => one.value === chosen)
    if (tab !== undefined) onChange(tab.value)
  }
  return (
    <Tabs className="fill" value={value} onChange={choose} keepMounted={false}>
      <div className={css.head}>
        <Tabs.List aria-label={label}>
          {tabs.map((tab) => (
            <Tabs.Tab key={tab.value} value={tab.value}>
              {tab.label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {aside !== undefined && <div className={css.aside}>{aside}</div>}
      </div>
      <Tabs.Panel value={value} className="fill">
        {/* The tabs stay while texts of the content are fetched. */}
        <Suspense fallback={<Loading />}>{children}</Suspense>
      </Tabs.Panel>
    </Tabs>
  )
}
