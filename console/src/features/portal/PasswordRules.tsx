// The password rules of the site, each with a tick once the new password meets it.
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Portal.module.css'
import { DEFAULT_RULES, passwordRulesTexts } from './passwordRules.texts.ts'
import type { Verdict } from './portal.flow.ts'
import { portalTexts } from './portal.texts.ts'

type Props = { verdicts: readonly Verdict[]; differs: boolean; isEmpty: boolean }

export function PasswordRules({ verdicts, differs, isEmpty }: Props) {
  const t = useTexts(portalTexts)
  const rules = useTexts(passwordRulesTexts)
  const labelOf = ({ name, isNegative }: Verdict) => {
    const known = DEFAULT_RULES.find((rule) => rule === name)
    if (known) return rules(known)
    return isNegative ? t('change.not', { rule: name }) : name
  }
  const rows = [
    ...verdicts.map((verdict) => ({ label: labelOf(verdict), isMet: verdict.isMet && !isEmpty })),
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
