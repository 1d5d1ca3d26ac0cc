// A state as a coloured dot with its word: the colour is never alone.
import css from '../layout/QueryState.module.css'

export type Tone = 'ok' | 'warn' | 'bad' | 'accent' | 'quiet'

export function StatusDot({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={css.dot} data-tone={tone}>
      {children}
    </span>
  )
}
