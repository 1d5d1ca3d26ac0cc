// The password rules of the site, each with a tick once the new password meets it.
import { useTexts } from '../../kit/texts.ts'
import css from './Portal.module.css'
import type { Verdict } from './portal.flow.ts'
import { portalTexts } from './portal.texts.ts'

type Props = { verdicts: readonly Verdict[]; differs: boolean; isEmpty: boolean }

export function PasswordRules({ verdicts, differs, isEmpty }: Props) {
  const t = useTexts(portalTexts)
  const rows = [
    ...verdicts.map(({ name, isNegative, isMet }) => ({
      label: isNegative ? t('change.not', { rule: name }) : name,
      isMet: isMet && !isEmpty,
    })),
    { label: t('change.differs'), isMet: differs },
  ]
  return (
    <ul className={css.rules} aria-label={t('change.rules')}>
      {rows.map(({ label, isMet }) => (
        <li key={label} data-met={isMet || undefined}>
          <span aria-hidden>{isMet ? '✓' : '·'}</span>
          {label}
          <span className={css.hidden}>{isMet ? t('change.met') : t('change.notMet')}</span>
        </li>
      ))}
    </ul>
  )
}
