// Two panes with a border that can be dragged or moved by arrow keys; the width is remembered by its name.
import { type KeyboardEvent, type PointerEvent, type ReactNode, Suspense, useState } from 'react'
import { readStored, writeStored } from '../browser/storage.ts'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import css from './SplitPane.module.css'
import { Loading } from './Status.tsx'

type Props = {
  /** Under this name the width is remembered: `mails.detail`. */
  name: string
  /** The pane of fixed width; the other one takes the rest. */
  side: ReactNode
  children: ReactNode
  /** Where the pane of fixed width stands. */
  at: 'start' | 'end'
  /** Pixels. */
  width: number
  min?: number
  max?: number
}

export function SplitPane({ name, side, children, at, width: initial, min = 200, max = 800 }: Props) {
  const t = useTexts(kitTexts)
  const key = `acc.width.${name}`
  const [width, setWidth] = useState(() => Number(readStored(key)) || initial)
  const move = (to: number) => {
    const next = Math.round(Math.min(max, Math.max(min, to)))
    setWidth(next)
    writeStored(key, String(next))
  }
  const drag = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const box = event.currentTarget.parentElement?.getBoundingClientRect()
    if (box) move(at === 'start' ? event.clientX - box.left : box.right - event.clientX)
  }
  const press = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowLeft' ? -16 : event.key === 'ArrowRight' ? 16 : 0
    if (step === 0) return
    event.preventDefault()
    move(width + (at === 'start' ? step : -step))
  }
  const fixed = (
    <div className={css.side} style={{ width }}>
      <Suspense fallback={<Loading />}>{side}</Suspense>
    </div>
  )
  const rest = (
    <div className={css.rest}>
      <Suspense fallback={<Loading />}>{children}</Suspense>
    </div>
  )
  return (
    <div className={css.split}>
      {at === 'start' ? fixed : rest}
      <hr
        className={css.border}
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={t('resize')}
        aria-valuenow={width}
        aria-valuemin={min}
        aria-valuemax={max}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onDoubleClick={() => move(initial)}
        onKeyDown={press}
      />
      {at === 'start' ? rest : fixed}
    </div>
  )
}
