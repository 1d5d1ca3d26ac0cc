// The head of a screen: its title, one line of what it is for, actions on the right. Title and line come from the
// screen's own definition.
import type { ReactNode } from 'react'
import { useViewer } from '../api/viewer.ts'
import { useLanguage } from '../texts/texts.ts'
import css from './Page.module.css'
import type { Screen } from './screen.ts'

export function PageHeader({ screen, children }: { screen: Screen; children?: ReactNode }) {
  const language = useLanguage()
  const viewer = useViewer()
  const purpose = typeof screen.purpose === 'function' ? screen.purpose(viewer) : screen.purpose
  return (
    <header className={css.head}>
      <div className={css.titles}>
        <h1>{screen.title[language]}</h1>
        <p>{purpose[language]}</p>
      </div>
      <div className={css.actions}>{children}</div>
    </header>
  )
}
