// The header of the open screen: title, one-line description, actions on the right.
import { type ReactNode, use } from 'react'
import { useViewer } from '../api/viewer.ts'
import { useLanguage } from '../texts/texts.ts'
import css from './Page.module.css'
import { ScreenContext } from './screen.ts'

export function PageHeader({ children }: { children?: ReactNode }) {
  const screen = use(ScreenContext)
  const language = useLanguage()
  const viewer = useViewer()
  if (!screen) throw new Error('PageHeader is used outside a screen')
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
