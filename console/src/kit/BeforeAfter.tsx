// Old and new values side by side: only what differs is loud (S2 section 2.6).
import type { ReactNode } from 'react'
import css from './BeforeAfter.module.css'
import { kitTexts } from './kit.texts.ts'
import { useTexts } from './texts.ts'

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

type SetProps<T> = {
  before: readonly T[]
  after: readonly T[]
  idOf: (item: T) => string | number
  children: (item: T) => ReactNode
}
/** Two sets: what is only in the new one was added, what is only in the old one removed. */
export function AddedRemoved<T>({ before, after, idOf, children }: SetProps<T>) {
  const t = useTexts(kitTexts)
  const had = new Set(before.map(idOf))
  const has = new Set(after.map(idOf))
  const added = after.filter((item) => !had.has(idOf(item)))
  const removed = before.filter((item) => !has.has(idOf(item)))
  const same = after.filter((item) => had.has(idOf(item)))
  if (added.length + removed.length + same.length === 0) return <p className={css.none}>{t('none')}</p>
  const rows = [
    ...added.map((item) => ({ item, mark: 'added' as const })),
    ...removed.map((item) => ({ item, mark: 'removed' as const })),
    ...same.map((item) => ({ item, mark: undefined })),
  ]
  return (
    <ul className={css.list}>
      {rows.map(({ item, mark }) => (
        <li key={`${mark}${idOf(item)}`} data-mark={mark}>
          {children(item)}
          {mark && <span>{t(`change.${mark}`)}</span>}
        </li>
      ))}
    </ul>
  )
}
