// The password rules that a new password does not meet yet; red after the form was rejected because of them.
import { useTexts } from '../../kit/texts/texts.ts'
import type { Verdict } from './judgePassword.ts'
import css from './Portal.module.css'
import { DEFAULT_RULES, passwordRulesTexts } from './passwordRules.texts.ts'
import { portalTexts } from './portal.texts.ts'

type Props = {
  verdicts: readonly Verdict[]
  /** Whether the new password equals the current one. */
  isSame: boolean
  isRefused: boolean
}

export function PasswordRules({ verdicts, isSame, isRefused }: Props) {
  const t = useTexts(portalTexts)
  const rules = useTexts(passwordRulesTexts)
  const labelOf = ({ name, isNegative }: Verdict) => {
    const known = DEFAULT_RULES.find((rule) => rule === name)
    if (known) return rules(known)
    return isNegative ? t('change.not', { rule: name }) : name
  }
  const unmet = verdicts.filter((verdict) => !verdict.isMet).map(labelOf)
  if (isSame) unmet.push(t('change.differs'))
  if (unmet.length === 0) return null
  return (
    <ul className={css.rules} aria-label={t('change.rules')} data-refused={isRefused || undefined}>
      {unmet.map((label) => (
        <li key={label}>{label}</li>
      ))}
    </ul>
  )
}
