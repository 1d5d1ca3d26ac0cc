// The frame of a panel: its title, the content next to the title, and the text without the permission (spec S2 §6).
import { IconLock } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import css from './Dashboard.module.css'

type Props = {
  title: string
  aside?: ReactNode
  /** Shown in place of the content where the viewer lacks the permission. */
  refusal?: string | undefined
  children: ReactNode
}

export function Panel({ title, aside, refusal, children }: Props) {
  const id = useId()
  return (
    <section className={css.panel} aria-labelledby={id}>
      <div className={css.head}>
        <h2 id={id}>{title}</h2>
        {refusal === undefined && aside}
      </div>
      {refusal === undefined ? (
        children
      ) : (
        <p className={css.refusal}>
          <IconLock size={16} stroke={1.6} aria-hidden />
          {refusal}
        </p>
      )}
    </section>
  )
}
