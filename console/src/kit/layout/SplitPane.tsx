// Two panes with a border that can be dragged or moved by arrow keys. The width is remembered by its name. In a narrow
// window, list and detail are two steps: the detail covers the screen and leads back to the row that opened it.
import { Button } from '@mantine/core'
import { type SplitterPaneSize, useSplitter } from '@mantine/hooks'
import { IconChevronLeft } from '@tabler/icons-react'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { readStored, writeStored } from '../browser/storage.ts'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import { Loading } from './QueryState.tsx'
import css from './SplitPane.module.css'

/** What the list has opened in the pane of the detail, undefined for nothing; `close` shows the list again. */
type Steps = { opened: number | string | undefined; close: () => void }

type Props = {
  /** Under this name the width is remembered: `mails.detail`. */
  name: string
  /** Accessible name of the pane that shows what the other one lists. */
  label: string
  /** The pane of fixed width; the other one fills the rest. */
  side: ReactNode
  children: ReactNode
  /** The side of the pane of fixed width. */
  at: 'start' | 'end'
  /** Pixels. */
  width: number
  min?: number
  max?: number
  /** Where one pane is a list and the other its detail: the side at the end, otherwise the rest. */
  steps?: Steps
}

const NARROW = '(max-width: 899px)'

/** Calls `focus` now or as soon as a heading has been fetched. */
function whenHeading(pane: Element, focus: (heading: HTMLElement) => void): () => void {
  const find = () => {
    const first = pane.querySelector(`.${CSS.escape(css.split ?? '')} > :last-child`) ?? pane
    const heading = first.querySelector('h2')
    if (heading) focus(heading)
    return heading !== null
  }
  const observer = new MutationObserver(() => find() && observer.disconnect())
  if (!find()) observer.observe(pane, { childList: true, subtree: true })
  return () => observer.disconnect()
}

/** In a narrow window moves the focus to the heading of an opened detail, and back to the row when it is closed. */
function useFocusOfSteps(opened: Steps['opened']) {
  const detail = useRef<HTMLDivElement>(null)
  const origin = useRef<Element | null>(null)
  const wasOpened = useRef(opened)
  useEffect(() => {
    const before = wasOpened.current
    wasOpened.current = opened
    if (!detail.current || !matchMedia(NARROW).matches) return
    if (opened === undefined) {
      if (before !== undefined && origin.current instanceof HTMLElement) origin.current.focus()
      return
    }
    if (before === undefined) origin.current = document.activeElement
    return whenHeading(detail.current, (heading) => {
      // The person types there already.
      if (detail.current?.querySelector(':is(input, textarea):focus')) return
      heading.tabIndex = -1
      heading.focus()
    })
  }, [opened])
  return detail
}

type PaneProps = { steps: Steps | undefined; isDetail: boolean; children: ReactNode }

/** The content of a pane, below the way back where it is a detail. */
function Content({ steps, isDetail, children }: PaneProps) {
  const t = useTexts(kitTexts)
  return (
    <>
      {steps && isDetail && (
        <div className={css.back}>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<IconChevronLeft size={14} />}
            onClick={steps.close}
          >
            {t('backToList')}
          </Button>
        </div>
      )}
      <Suspense fallback={<Loading />}>{children}</Suspense>
    </>
  )
}

/** Returns where the border is between its ends, in percent. */
function shareOf(handle: ReturnType<ReturnType<typeof useSplitter>['getHandleProps']>): number {
  const { 'aria-valuenow': now, 'aria-valuemin': min, 'aria-valuemax': max } = handle
  return max > min ? Math.round(((now - min) / (max - min)) * 100) : 0
}

/** A double click on the border restores the first width. */
export function SplitPane({ name, label, side, children, at, width, min = 200, max = 800, steps }: Props) {
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
  const handle = splitter.getHandleProps({ index: 0 })
  const border = { ...handle, 'aria-label': t('resize', { name: label }), 'aria-valuetext': `${shareOf(handle)}%` }
  const detail = useFocusOfSteps(steps?.opened)
  const isSideDetail = at === 'end'
  const region = { ref: detail, role: 'region', 'aria-label': label }
  const fixed = (
    <div className={css.side} style={{ width: splitter.sizes[index] }} {...(isSideDetail && region)}>
      <Content steps={steps} isDetail={isSideDetail}>
        {side}
      </Content>
    </div>
  )
  const rest = (
    <div className={css.rest} {...(!isSideDetail && region)}>
      <Content steps={steps} isDetail={!isSideDetail}>
        {children}
      </Content>
    </div>
  )
  const step = steps && (steps.opened === undefined ? 'list' : 'detail')
  return (
    <div ref={splitter.ref} className={css.split} data-step={step}>
      {at === 'start' ? fixed : rest}
      <div className={css.border} {...border} />
      {at === 'start' ? rest : fixed}
    </div>
  )
}
