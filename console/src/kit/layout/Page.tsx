// The frame of a screen and of its panes: the parts scroll, the screen does not.
import { IconChevronLeft } from '@tabler/icons-react'
import { Fragment, type ReactNode, use } from 'react'
import { useViewer } from '../api/viewer.ts'
import { useLanguage } from '../texts/texts.ts'
import css from './Page.module.css'
import { ScreenContext } from './screen.ts'

/** The header of the open screen: title, one-line description, actions on the right. */
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

type PartProps = {
  title: ReactNode
  /** Beside the title: a state. */
  aside?: ReactNode
  purpose?: ReactNode
  /** Leads to what the part was opened from. */
  back: { label: string; onBack: () => void }
  children?: ReactNode
}

/** The header of a part that takes the place of its screen: a way back, title, actions on the right. */
export function PartHeader({ title, aside, purpose, back, children }: PartProps) {
  return (
    <header className={css.head}>
      <div className={css.titles}>
        <button type="button" className={css.back} onClick={back.onBack}>
          <IconChevronLeft size={14} aria-hidden />
          {back.label}
        </button>
        <div className={css.partTitle}>
          <h1>{title}</h1>
          {aside}
        </div>
        {purpose !== undefined && <p>{purpose}</p>}
      </div>
      <div className={css.actions}>{children}</div>
    </header>
  )
}

/** A whole screen: a PageHeader, perhaps a FilterBar, then a PageBody. */
export function Page({ children }: { children: ReactNode }) {
  return <div className={css.page}>{children}</div>
}

/** What fills the screen below its head. */
export function PageBody({ children }: { children: ReactNode }) {
  return <div className={css.body}>{children}</div>
}

type PaneProps = {
  title?: ReactNode
  /** Beside the title: a state, a switch. */
  aside?: ReactNode
  /** Stays below while the content scrolls: a SaveBar, buttons. */
  foot?: ReactNode
  /** Names content to read, without a control that the keyboard reaches: it then scrolls by keys. */
  label?: string
  children: ReactNode
}
export function Pane({ title, aside, foot, label, children }: PaneProps) {
  return (
    <section className={css.pane}>
      <div className={css.content} {...(label !== undefined && { role: 'region', 'aria-label': label, tabIndex: 0 })}>
        {title !== undefined && (
          <div className={css.paneHead}>
            <h2>{title}</h2>
            <div className={css.aside}>{aside}</div>
          </div>
        )}
        {children}
      </div>
      {foot}
    </section>
  )
}

/** The foot of a pane: buttons at its end, or, where they fill it, side by side. */
export function PaneFoot({ fills = false, children }: { fills?: boolean; children: ReactNode }) {
  return (
    <div className={css.foot} data-fills={fills || undefined}>
      {children}
    </div>
  )
}

/** A quiet sentence that explains the content below it. */
export function Hint({ children }: { children: ReactNode }) {
  return <p className={css.hint}>{children}</p>
}

export type Fact = readonly [label: string, value: ReactNode]

/** Labelled facts, without those that are `false`: `<Facts rows={[['ID', user.id], ...]} />`. */
export function Facts({ rows }: { rows: readonly (Fact | false)[] }) {
  return (
    <dl className={css.facts}>
      {rows
        .filter((row) => row !== false)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{typeof value === 'string' ? <Breakable text={value} /> : value}</dd>
          </div>
        ))}
    </dl>
  )
}

type SectionProps = {
  title: string
  /** Beside the heading: a button. */
  aside?: ReactNode
  children: ReactNode
}

/** A heading inside a pane. */
export function Section({ title, aside, children }: SectionProps) {
  return (
    <div className={css.section}>
      <div className={css.sectionHead}>
        <h3>{title}</h3>
        {aside}
      </div>
      {children}
    </div>
  )
}

/** Heading of the part that a tab or a menu item shows, for screen readers: its name is visible there. */
export function PartHeading({ children }: { children: ReactNode }) {
  return <h2 className="unseen">{children}</h2>
}

/** Text that a person entered, or a mail, shown unchanged. */
export function Quote({ children }: { children: ReactNode }) {
  return <div className={css.quote}>{children}</div>
}

const EMAIL = /^[^\s@]+@[^\s@]+$/

/** A value in a narrow place: an email address that is too long for its line breaks at its signs. */
export function Breakable({ text }: { text: string }) {
  if (!EMAIL.test(text)) return text
  return [...text.matchAll(/[@.]+[^@.]*|[^@.]+/g)].map(({ 0: part, index }) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
