// Old and new values side by side. Differences are highlighted; unchanged values are grey and marked (spec S2 §2.6).

import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import css from './BeforeAfter.module.css'

export type Change = { label: string; before: string | null; after: string | null }

const isEmpty = (value: string | null) => value === null || value === ''
const textOf = (value: string | null) => (isEmpty(value) ? '-' : value)

type Props = {
  changes: readonly Change[]
  /** Something beside these values changed: they are listed although all of them are the same. */
  isPart?: boolean
}

export function BeforeAfter({ changes, isPart = false }: Props) {
  const t = useTexts(kitTexts)
  if (!isPart && changes.every(({ before, after }) => before === after))
    return <p className={css.none}>{t('change.none')}</p>
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th scope="col">{t('change.field')}</th>
          <th scope="col">{t('change.before')}</th>
          <th scope="col">{t('change.after')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ label, before, after }) =>
          before === after ? (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{textOf(before)}</td>
              <td>{t('change.none')}</td>
            </tr>
          ) : (
            <tr key={label} data-changed>
              <th scope="row">{label}</th>
              <td>{isEmpty(before) ? '-' : <del>{before}</del>}</td>
              <td>{isEmpty(after) ? '-' : <ins>{after}</ins>}</td>
            </tr>
          ),
        )}
      </tbody>
    </table>
  )
}
