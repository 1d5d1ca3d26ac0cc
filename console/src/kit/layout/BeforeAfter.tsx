// Old and new values side by side: only what differs is loud (S2 section 2.6).

import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import css from './BeforeAfter.module.css'

export type Change = { label: string; before: string | null; after: string | null }

export function BeforeAfter({ changes }: { changes: readonly Change[] }) {
  const t = useTexts(kitTexts)
  if (changes.every(({ before, after }) => before === after)) return <p className={css.none}>{t('change.none')}</p>
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
        {changes.map(({ label, before, after }) => (
          <tr key={label} data-changed={before !== after || undefined}>
            <th scope="row">{label}</th>
            <td>{before === null || before === '' ? '-' : before !== after ? <del>{before}</del> : before}</td>
            <td>{after === null || after === '' ? '-' : before !== after ? <ins>{after}</ins> : after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
