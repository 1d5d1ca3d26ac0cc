// Two values of a row below each other, the second one smaller; both are cut with their whole text as a tooltip.
import type { ReactNode } from 'react'
import css from './TwoLines.module.css'

const titleOf = (content: ReactNode) => (typeof content === 'string' ? content : undefined)

export function TwoLines({ above, below }: { above: ReactNode; below: ReactNode }) {
  return (
    <span className={css.lines}>
      <span title={titleOf(above)}>{above}</span>
      {below !== false && <small title={titleOf(below)}>{below}</small>}
    </span>
  )
}
