// A state as a colored dot with its word; the color is never the only sign.
import type { Tone, ToneLabel } from '@acc/contract/labels/enumOf'
import css from '../layout/QueryState.module.css'
import { useLabel } from '../texts/labels.ts'

export function StatusDot({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={css.dot} data-tone={tone}>
      {children}
    </span>
  )
}

/** The dot of a label of the contract. */
export const StateDot = ({ label }: { label: ToneLabel }) => (
  <StatusDot tone={label.tone}>{useLabel()(label)}</StatusDot>
)
