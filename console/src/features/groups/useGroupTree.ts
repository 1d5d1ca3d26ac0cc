// State of a group tree: expanded groups, search, active row and visible rows.
import type { Group } from '@acc/contract/groups'
import { useElementSize } from '@mantine/hooks'
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { ancestorsOf, countMatches, firstMatch, flattenGroups, visibleRows } from './groupRows.ts'

/** Height of a row in pixels. */
export const ROW = 30
/** Rows rendered beyond each edge of the viewport. */
const OVERSCAN = 8

const NOTHING: ReadonlySet<number> = new Set()

/** Computes which rows are visible. */
function useWindow(count: number, head: number) {
  const { ref, height } = useElementSize<HTMLElement>()
  const [top, setTop] = useState(0)
  const body = useRef<HTMLElement | null>(null)
  const attach = useCallback(
    (element: HTMLElement | null) => {
      body.current = element
      ref(element)
    },
    [ref],
  )
  const first = Math.max(0, Math.floor(top / ROW) - OVERSCAN)
  const last = Math.min(count, Math.ceil((top + (height || 600)) / ROW) + OVERSCAN)
  /** Scrolls only as far as the row needs. */
  const show = useCallback(
    (index: number) => {
      const box = body.current
      if (!box) return
      const bottom = (index + 1) * ROW
      if (index < 0) return
      if (index * ROW < box.scrollTop) box.scrollTop = index * ROW
      else if (bottom + head > box.scrollTop + box.clientHeight) box.scrollTop = bottom + head - box.clientHeight
    },
    [head],
  )
  const focus = useCallback(() => body.current?.focus(), [])
  return { attach, first, last, setTop, show, focus }
}

/** Calls `follow` once for each group that is selected after the first one, before it is drawn. */
function useFollowing(selected: number | undefined, follow: (idx: number) => void): void {
  const [followed, setFollowed] = useState(selected)
  if (followed === selected) return
  setFollowed(selected)
  if (selected !== undefined) follow(selected)
}

/** `head`: the height of what stays above the rows while they scroll. */
export function useGroupTree(groups: readonly Group[], selected: number | undefined, head = 0) {
  const [search, setSearch] = useState('')
  const [closed, setClosed] = useState(NOTHING)
  const [active, setActive] = useState(selected)
  const wanted = useDeferredValue(search)
  const all = useMemo(() => flattenGroups(groups), [groups])
  const rows = useMemo(() => visibleRows(all, closed, wanted), [all, closed, wanted])
  // The keyboard continues from a group that was selected from outside the tree, which is shown.
  useFollowing(selected, (idx) => {
    setActive(idx)
    if (!rows.some(({ group }) => group.idx === idx)) setSearch('')
    const above = ancestorsOf(all, idx)
    setClosed(new Set([...closed].filter((one) => !above.includes(one))))
  })
  const view = useWindow(rows.length, head)
  const place = rows.findIndex((row) => row.group.idx === (active ?? selected))
  const toggle = useCallback(
    (idx: number) => setClosed((now) => new Set(now.has(idx) ? [...now].filter((one) => one !== idx) : [...now, idx])),
    [],
  )
  const go = (index: number) => {
    const row = rows[index]
    if (!row) return
    setActive(row.group.idx)
    view.show(index)
  }
  // A group selected from outside the tree is scrolled into view.
  const selectedAt = rows.findIndex((row) => row.group.idx === selected)
  const { show } = view
  useEffect(() => {
    if (selectedAt >= 0) show(selectedAt)
  }, [selectedAt, show])
  /** Returns the first match of the typed text, which may be ahead of the rows shown. */
  const findFirst = () => firstMatch(all, search)?.group
  /** Moves from the search to the first match, or to the active row. */
  const enter = () => {
    const match = findFirst()
    if (match) {
      setActive(match.idx)
      show(rows.findIndex((row) => row.group.idx === match.idx))
    }
    view.focus()
  }
  return {
    search,
    findFirst,
    enter,
    found: wanted.trim(),
    matches: useMemo(() => countMatches(all, wanted), [all, wanted]),
    setSearch,
    closed,
    rows,
    view,
    at: Math.max(0, place),
    toggle,
    go,
    setActive,
  }
}
