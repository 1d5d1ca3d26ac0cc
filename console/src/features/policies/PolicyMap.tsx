// The policy map: groups by values, colored by strictness. Only the visible rows are drawn. Arrow keys move between
// cells, expand and collapse groups; Enter opens the value.
import { api } from '@acc/contract'
import { MAX_LENGTH } from '@acc/contract/core/limits'
import type { Group } from '@acc/contract/groups'
import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { IconArrowsLeftRight, IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useApiQuery } from '../../kit/api/query.ts'
import { useLatest } from '../../kit/browser/useLatest.ts'
import { useShortcut } from '../../kit/browser/useShortcut.ts'
import { Empty, QueryState } from '../../kit/layout/QueryState.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { flattenGroups, type GroupRow, pressTreeKey, ROW, useGroupsWith, useGroupTree } from '../groups/exports.ts'
import { PolicyCompare } from './PolicyCompare.tsx'
import css from './PolicyMap.module.css'
import { PolicyMapRow } from './PolicyMapRow.tsx'
import { policiesTexts } from './policies.ts'
import type { PolicyField } from './policyFields.ts'
import { MAP_FIELDS, MAP_PARTS, type MapPart, type MapRow, resolveMap } from './policyMap.ts'
import { usePolicyWords } from './policyWords.ts'

/** Height of the headings in pixels. */
const HEAD = 56
/** The column of the groups' names. */
const NAMES = -1

type OpenValue = (group: Group, field: PolicyField | undefined) => void
type Tree = ReturnType<typeof useGroupTree>
type GridProps = {
  tree: Tree
  map: ReadonlyMap<number, MapRow>
  fields: readonly PolicyField[]
  column: number
  setColumn: (column: number) => void
  onOpen: OpenValue
}

/** Handles the keys of the grid: those of a tree in the column of names, and steps between the columns. */
function useKeys({ tree, fields, column, setColumn, onOpen }: GridProps) {
  const { rows, at, closed } = tree
  return (event: KeyboardEvent) => {
    const row = rows[at]
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const opens = row.group.children.length > 0 && closed.has(row.group.idx)
    if (event.key === 'ArrowLeft' && column > NAMES) setColumn(column - 1)
    else if (event.key === 'ArrowRight' && (column > NAMES || !opens))
      setColumn(Math.min(column + 1, fields.length - 1))
    else if (!pressTreeKey(event.key, { ...tree, choose: (group) => onOpen(group, fields[column]) })) return
    event.preventDefault()
  }
}

function Head({ fields }: { fields: readonly PolicyField[] }) {
  const t = useTexts(policiesTexts)
  const { fieldText } = usePolicyWords()
  return (
    <thead>
      <tr className={css.head} aria-rowindex={1} style={{ height: HEAD }}>
        <th scope="col" aria-colindex={1}>
          {t('map.group')}
        </th>
        {fields.map((field, index) => (
          <th key={field} scope="col" aria-colindex={index + 2}>
            {fieldText(field)}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function Grid(props: GridProps) {
  const { tree, map, fields, column, setColumn, onOpen } = props
  const t = useTexts(policiesTexts)
  const id = useId()
  const press = useKeys(props)
  const { rows, at, view, closed } = tree
  const active = rows[at]
  // A table with expandable rows that the keyboard walks through (WAI-ARIA treegrid pattern).
  const grid = {
    role: 'treegrid',
    tabIndex: 0,
    'aria-activedescendant': active && `${id}-${active.group.idx}-${column}`,
  } as const
  const activeId = grid['aria-activedescendant']
  useEffect(() => {
    if (column > NAMES && activeId)
      document.getElementById(activeId)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [activeId, column])
  const point = useLatest((row: GroupRow, to: number) => {
    tree.setActive(row.group.idx)
    setColumn(to)
    onOpen(row.group, fields[to])
  })
  return (
    <table
      ref={view.attach}
      className={css.body}
      data-columns={fields.length}
      {...grid}
      aria-label={t('map.title')}
      aria-rowcount={rows.length + 1}
      aria-colcount={fields.length + 1}
      onScroll={(event) => view.setTop(event.currentTarget.scrollTop)}
      onKeyDown={press}
    >
      <Head fields={fields} />
      <tbody className={css.rows} style={{ height: rows.length * ROW }}>
        {rows.slice(view.first, view.last).map((row, index) => (
          <PolicyMapRow
            key={row.group.idx}
            id={`${id}-${row.group.idx}`}
            index={view.first + index}
            row={row}
            values={map.get(row.group.idx)}
            fields={fields}
            isClosed={closed.has(row.group.idx)}
            active={active === row ? column : undefined}
            onToggle={tree.toggle}
            onPoint={point}
          />
        ))}
      </tbody>
    </table>
  )
}

type Props = { groups: readonly Group[]; map: ReadonlyMap<number, MapRow>; start: Start; onOpen: OpenValue }
type Start = { groupIdx?: number | undefined; field?: PolicyField | undefined }

const partWith = (field: PolicyField | undefined): MapPart =>
  MAP_PARTS.find((part) => field !== undefined && MAP_FIELDS[part].includes(field)) ?? 'transfer'

function Content({ groups, map, start, onOpen }: Props) {
  const t = useTexts(policiesTexts)
  const tree = useGroupTree(groups, start.groupIdx, HEAD)
  const [part, setPart] = useState(partWith(start.field))
  const fields = MAP_FIELDS[part]
  const [column, setColumn] = useState(start.field === undefined ? NAMES : fields.indexOf(start.field))
  const [isComparing, setComparing] = useState(false)
  const search = useRef<HTMLInputElement>(null)
  useShortcut('/', () => search.current?.focus(), { within: search })
  const show = (next: MapPart) => {
    setPart(next)
    setColumn(NAMES)
  }
  const pressInSearch = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || !['ArrowDown', 'Enter'].includes(event.key)) return
    tree.enter()
    event.preventDefault()
  }
  return (
    <div className="fill">
      <div className={css.bar}>
        <TextInput
          ref={search}
          w={220}
          aria-label={t('map.search')}
          placeholder={t('map.search')}
          maxLength={MAX_LENGTH.searchText}
          leftSection={<IconSearch size={14} />}
          value={tree.search}
          onChange={(event) => tree.setSearch(event.currentTarget.value)}
          onKeyDown={pressInSearch}
        />
        <SegmentedControl<MapPart>
          size="xs"
          aria-label={t('map.parts')}
          data={MAP_PARTS.map((value) => ({ value, label: t(`map.${value}`) }))}
          value={part}
          onChange={show}
        />
        <Legend />
        <Button variant="default" leftSection={<IconArrowsLeftRight size={14} />} onClick={() => setComparing(true)}>
          {t('compare.open')}
        </Button>
      </div>
      {tree.rows.length === 0 ? (
        <Empty title={t('map.noMatch')} />
      ) : (
        <Grid tree={tree} map={map} fields={fields} column={column} setColumn={setColumn} onOpen={onOpen} />
      )}
      {isComparing && (
        <PolicyCompare groups={groups} first={tree.rows[tree.at]?.group} onClose={() => setComparing(false)} />
      )}
    </div>
  )
}

/** What the colors and outlines mean. */
function Legend() {
  const t = useTexts(policiesTexts)
  return (
    <ul className={css.legend} aria-label={t('map.legend')}>
      <li data-looseness="strict">{t('map.strict')}</li>
      <li data-looseness="middle">{t('map.middle')}</li>
      <li data-looseness="loose">{t('map.loose')}</li>
      <li data-differs>{t('map.differs')}</li>
    </ul>
  )
}

export function PolicyMap({ start, onOpen }: Pick<Props, 'start' | 'onOpen'>) {
  const t = useTexts(policiesTexts)
  const { query: groupsQuery, groups } = useGroupsWith('maxPolicy')
  const query = useApiQuery(api.policies.findMap, {})
  const rows = useMemo(() => flattenGroups(groups), [groups])
  const map = useMemo(() => resolveMap(rows, query.data?.policies ?? []), [rows, query.data])
  return (
    <QueryState of={groupsQuery}>
      {() => (
        <QueryState of={query}>
          {() =>
            rows.length === 0 ? (
              <Empty title={t('map.noGroups')} hint={t('map.noGroupsHint')} />
            ) : (
              <Content groups={groups} map={map} start={start} onOpen={onOpen} />
            )
          }
        </QueryState>
      )}
    </QueryState>
  )
}
