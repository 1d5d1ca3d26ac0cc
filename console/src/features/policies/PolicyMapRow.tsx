// One group of the policy map: its name, and a cell for each value. Memoized: scrolling draws only the new rows.
import { isLooser, loosenessOf } from '@acc/contract/labels/policies'
import type { PolicyValues } from '@acc/contract/policyValues'
import { IconAdjustments, IconCaretDownFilled, IconCaretUpFilled } from '@tabler/icons-react'
import { memo } from 'react'
import { useTexts } from '../../kit/texts/texts.ts'
import { type GroupRow, GroupToggle, indentOf, ROW } from '../groups/exports.ts'
import css from './PolicyMap.module.css'
import { policiesTexts } from './policies.ts'
import { isIdle, type PolicyField } from './policyFields.ts'
import type { MapRow } from './policyMap.ts'
import { usePolicyWords } from './policyWords.ts'

type Props = {
  id: string
  index: number
  row: GroupRow
  /** Undefined for a group whose policy has not been read yet. */
  values: MapRow | undefined
  fields: readonly PolicyField[]
  isClosed: boolean
  /** The active column, -1 for the name; undefined if another row is active. */
  active: number | undefined
  onToggle: (idx: number) => void
  onPoint: (row: GroupRow, column: number) => void
}

/** How loose a value is, in the three steps of the map's colors. Amounts and values without effect have none. */
function toneOf(field: PolicyField, values: PolicyValues): 'strict' | 'middle' | 'loose' | undefined {
  const looseness = loosenessOf(field, values[field])
  if (looseness === null) return undefined
  if (looseness === 0) return 'strict'
  return looseness === 1 ? 'loose' : 'middle'
}

type CellProps = Pick<Props, 'row' | 'active' | 'onPoint'> & {
  id: string
  values: MapRow
  field: PolicyField
  column: number
}

function Cell({ id, values: { values, above }, row, field, column, active, onPoint }: CellProps) {
  const t = useTexts(policiesTexts)
  const { fieldText, valueText } = usePolicyWords()
  const hasEffect = !isIdle(field, values)
  const text = hasEffect ? valueText(field, values[field]) : '-'
  const differs = hasEffect && above !== null && above.values[field] !== values[field]
  const parts = [
    `${fieldText(field)}: ${text}`,
    ...(differs ? [t('aboveHas', { name: above.name, value: valueText(field, above.values[field]) })] : []),
  ]
  return (
    <td
      id={id}
      className={css.cell}
      tabIndex={-1}
      aria-colindex={column + 2}
      aria-label={parts.join(', ')}
      title={parts.join('\n')}
      data-looseness={hasEffect ? toneOf(field, values) : undefined}
      data-differs={differs || undefined}
      data-active={active === column || undefined}
      onClick={() => onPoint(row, column)}
      onKeyDown={() => undefined}
    >
      <span className="cut">{text}</span>
      {differs && isLooser(field, above.values[field], values[field]) && <IconCaretUpFilled size={9} aria-hidden />}
      {differs && isLooser(field, values[field], above.values[field]) && <IconCaretDownFilled size={9} aria-hidden />}
    </td>
  )
}

export const PolicyMapRow = memo(function PolicyMapRow(props: Props) {
  const { id, index, row, values, fields, isClosed, active, onToggle, onPoint } = props
  const { group, depth } = row
  const t = useTexts(policiesTexts)
  return (
    // The grid handles keys (aria-activedescendant); rows handle only the pointer.
    <tr
      className={css.row}
      aria-rowindex={index + 2}
      aria-level={depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={group.children.length > 0 ? !isClosed : undefined}
      style={{ transform: `translateY(${index * ROW}px)`, height: ROW }}
    >
      <th
        id={`${id}--1`}
        className={css.name}
        scope="row"
        tabIndex={-1}
        aria-colindex={1}
        aria-label={values?.isOwn ? t('map.ownOf', { name: group.name }) : group.name}
        data-active={active === -1 || undefined}
        style={{ paddingLeft: indentOf(depth) }}
        onClick={() => onPoint(row, -1)}
        onKeyDown={() => undefined}
      >
        <GroupToggle group={group} isClosed={isClosed} onToggle={onToggle} />
        <span className="cut" title={group.name}>
          {group.name}
        </span>
        {values?.isOwn && <IconAdjustments size={13} aria-hidden />}
      </th>
      {values &&
        fields.map((field, column) => (
          <Cell
            key={field}
            id={`${id}-${column}`}
            row={row}
            values={values}
            field={field}
            column={column}
            active={active}
            onPoint={onPoint}
          />
        ))}
    </tr>
  )
})
