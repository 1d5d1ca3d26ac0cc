// A short list in which one row is selected, such as authorities or members. Arrow keys move and select.
import type { KeyboardEvent, ReactNode } from 'react'
import css from './Authorities.module.css'

export type Choice = { idx: number; title: string; detail: string; aside?: string }
type Props = {
  /** Label for screen readers. */
  label: string
  choices: readonly Choice[]
  chosen: number | undefined
  onChoose: (idx: number) => void
  /** A new row, which takes the focus once it is drawn. */
  arrived?: number | undefined
  onArrived?: () => void
  /** Content below the rows, such as a button that loads more. */
  foot?: ReactNode
}

const STEPS: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_at, last) => last,
}

function moveByKeys(event: KeyboardEvent<HTMLElement>) {
  const step = STEPS[event.key]
  const rows = [...event.currentTarget.querySelectorAll('button')]
  const at = event.target instanceof HTMLButtonElement ? rows.indexOf(event.target) : -1
  if (!step || at < 0) return
  event.preventDefault()
  const next = rows[step(at, rows.length - 1)]
  if (!next || next === rows[at]) return
  next.focus()
  next.click()
}

export function ChoiceList({ label, choices, chosen, onChoose, arrived, onArrived, foot }: Props) {
  const entry = choices.some(({ idx }) => idx === chosen) ? chosen : choices[0]?.idx
  const welcome = (row: HTMLButtonElement | null) => {
    if (row === null) return
    row.focus()
    onArrived?.()
  }
  return (
    <div className={css.scroll}>
      <ul className={css.choices} aria-label={label} onKeyDown={moveByKeys}>
        {choices.map(({ idx, title, detail, aside }) => (
          <li key={idx}>
            <button
              ref={idx === arrived ? welcome : null}
              type="button"
              className="option"
              tabIndex={idx === entry ? 0 : -1}
              aria-current={idx === chosen || undefined}
              onClick={() => onChoose(idx)}
            >
              <b className="cut" title={title}>
                {title}
              </b>
              {aside !== undefined && <small>{aside}</small>}
              <small className="cut" title={detail}>
                {detail}
              </small>
            </button>
          </li>
        ))}
      </ul>
      {foot}
    </div>
  )
}
