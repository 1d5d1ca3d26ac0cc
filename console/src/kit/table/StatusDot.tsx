// A state as a colored dot with its word; the color is never the only sign.
import type { Tone, ToneLabel } from '@acc/contract/labels/enumOf'
import css from '../layout/QueryState.module.css'
import { useLabel } from '../texts/labels.ts'

const COLORS: Record<Tone, string> = {
  ok: 'var(--ok)',
  warn: 'var(--warn)',
  bad: 'var(--bad)',
  quiet: 'var(--ink-3)',
  accent: 'var(--accent)',
}

export function StatusDot({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={css.dot} style={{ color: COLORS[tone] }}>
      {children}
    </span>
  )
}

/** The dot of a label of the contract. */
export const StateDot = ({ label }: { label: ToneLabel }) => (
  <StatusDot tone={label.tone}>{useLabel()(label)}</StatusDot>
)
