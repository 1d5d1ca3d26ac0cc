// Old and new values side by side. Differences are highlighted, the rest is gray, marked and folded (spec S2 §2.6).
import { createStore, useStore } from '../browser/store.ts'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import css from './BeforeAfter.module.css'
import { Breakable, Hint } from './Page.tsx'

export type Change = { label: string; before: string | null; after: string | null }

const isEmpty = (value: string | null): value is '' | null => value === null || value === ''

/** Of a value that is the same two lines are enough, such as of a key. */
function Same({ value }: { value: string | null }) {
  if (isEmpty(value)) return '-'
  return (
    <span className={css.same} title={value}>
      <Breakable text={value} />
    </span>
  )
}

/** One side of a difference. */
function Side({ value, as: Sign }: { value: string | null; as: 'del' | 'ins' | 'span' }) {
  if (isEmpty(value)) return '-'
  return (
    <Sign>
      <Breakable text={value} />
    </Sign>
  )
}

type RowsProps = {
  changes: readonly Change[]
  /** The names of the sides, instead of before and after. */
  sides?: readonly [string, string] | undefined
}

function Rows({ changes, sides }: RowsProps) {
  const t = useTexts(kitTexts)
  const [left, right] = sides ?? [t('change.before'), t('change.after')]
  return (
    <table className={css.table} aria-label={t('change.title')}>
      <thead>
        <tr>
          <th scope="col">{t('change.field')}</th>
          <th scope="col">{left}</th>
          <th scope="col">{right}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ label, before, after }) => (
          <tr key={label} data-changed={before !== after || undefined}>
            <th scope="row">{label}</th>
            <td>{before === after ? <Same value={before} /> : <Side as={sides ? 'span' : 'del'} value={before} />}</td>
            <td>{before === after ? t('change.none') : <Side as={sides ? 'span' : 'ins'} value={after} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Whether the fold is open: as the person left it, until the page is loaded again. */
const isOpen = createStore(false)

type Props = RowsProps & {
  /** Something besides these values changed: they are listed although all of them are the same. */
  isPart?: boolean
}

/** Lists the differences; the unchanged values are in a fold below them. */
export function BeforeAfter({ changes, sides, isPart = false }: Props) {
  const t = useTexts(kitTexts)
  const isUnfolded = useStore(isOpen)
  const isSame = ({ before, after }: Change) => before === after
  const changed = changes.filter((change) => !isSame(change))
  const same = changes.filter(isSame)
  if (!isPart && changed.length === 0) return <Hint>{t('change.none')}</Hint>
  return (
    <>
      {changed.length > 0 && <Rows changes={changed} sides={sides} />}
      {same.length > 0 && (
        <details
          className={css.fold}
          open={isUnfolded}
          onToggle={({ currentTarget }) => currentTarget.open !== isUnfolded && isOpen.set(currentTarget.open)}
        >
          <summary>{t('change.unchanged', { count: same.length })}</summary>
          <Rows changes={same} sides={sides} />
        </details>
      )}
    </>
  )
}
