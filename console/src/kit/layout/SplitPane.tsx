// Two panes with a border that can be dragged or moved by arrow keys; the width is remembered by its name.
import { type SplitterPaneSize, useSplitter } from '@mantine/hooks'
import { type ReactNode, Suspense, useState } from 'react'
import { readStored, writeStored } from '../browser/storage.ts'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import { Loading } from './QueryState.tsx'
import css from './SplitPane.module.css'

type Props = {
  /** Under this name the width is remembered: `mails.detail`. */
  name: string
  /** The pane of fixed width; the other one fills the rest. */
  side: ReactNode
  children: ReactNode
  /** The side of the pane of fixed width. */
  at: 'start' | 'end'
  /** Pixels. */
  width: number
  min?: number
  max?: number
}

/** A double click on the border restores the first width. */
export function SplitPane({ name, side, children, at, width, min = 200, max = 800 }: Props) {
  const t = useTexts(kitTexts)
  const key = `acc.width.${name}`
  const index = at === 'start' ? 0 : 1
  const ordered = <T,>(fixed: T, rest: T): T[] => (at === 'start' ? [fixed, rest] : [rest, fixed])
  const [sizes, setSizes] = useState(() => ordered<SplitterPaneSize>(`${Number(readStored(key)) || width}px`, '100%'))
  const splitter = useSplitter<HTMLDivElement>({
    panels: ordered<useSplitter.Panel>(
      { defaultSize: `${width}px`, min: `${min}px`, max: `${max}px` },
      { defaultSize: '100%', min: '240px' },
    ),
    sizes,
    step: '16px',
    onSizeChange: (next) => {
      setSizes(next)
      writeStored(key, String(Math.round(Number.parseFloat(String(next[index])))))
    },
  })
  const border = { ...splitter.getHandleProps({ index: 0 }), 'aria-label': t('resize') }
  const fixed = (
    <div className={css.side} style={{ width: splitter.sizes[index] }}>
      <Suspense fallback={<Loading />}>{side}</Suspense>
    </div>
  )
  const rest = (
    <div className={css.rest}>
      <Suspense fallback={<Loading />}>{children}</Suspense>
    </div>
  )
  return (
    <div ref={splitter.ref} className={css.split}>
      {at === 'start' ? fixed : rest}
      <div className={css.border} {...border} />
      {at === 'start' ? rest : fixed}
    </div>
  )
}
