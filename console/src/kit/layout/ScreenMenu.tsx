// The menu at the left of a screen with several parts: groups of buttons, and the chosen part next to them.
import type { ReactNode } from 'react'
import css from './ScreenMenu.module.css'

type Props<T extends string> = {
  /** Accessible name of the menu. */
  label: string
  /** A group's title is left out where there is only one. */
  groups: readonly { title?: string; items: readonly { value: T; label: string }[] }[]
  value: T
  onChange: (value: T) => void
  children: ReactNode
}

/** On a telephone the menu is one line, which may be longer than the window. */
const bringIntoView = (button: HTMLButtonElement | null) =>
  button?.scrollIntoView({ block: 'nearest', inline: 'center' })

export function ScreenMenu<T extends string>({ label, groups, value, onChange, children }: Props<T>) {
  const chosen = groups.flatMap(({ items }) => items).find((item) => item.value === value)
  return (
    <div className={css.split}>
      <nav className={css.menu} aria-label={label}>
        {groups.map(({ title, items }) => (
          <section key={title ?? ''}>
            {title !== undefined && <h2>{title}</h2>}
            {items.map((item) => (
              <button
                className="option"
                key={item.value}
                type="button"
                ref={item.value === value ? bringIntoView : undefined}
                aria-current={item.value === value ? 'page' : undefined}
                onClick={() => onChange(item.value)}
              >
                {item.label}
              </button>
            ))}
          </section>
        ))}
      </nav>
      <section className={css.part} aria-label={chosen?.label}>
        {children}
      </section>
    </div>
  )
}
