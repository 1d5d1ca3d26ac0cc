// The password rules that a new password does not meet yet; red after the form was rejected because of them.
import { isUsuallyNegative, PASSWORD_PRESETS } from '@acc/contract/labels/passwordRules'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import type { Verdict } from './judgePassword.ts'
import css from './Portal.module.css'
import { passwordRulesTexts } from './passwordRules.texts.ts'
import { portalTexts } from './portal.texts.ts'

type Props = {
  verdicts: readonly Verdict[]
  /**
   * Whether a password was typed. The list is rendered before, so that its texts load with the page: a page that waits for
   * them while a person types hides its fields, and the rest of the password is lost.
   */
  isShown: boolean
  /** Whether the new password equals the current one. */
  isSame: boolean
  /** A name in the password that everyone around its owner knows. */
  contextWord: string | undefined
  isRefused: boolean
}

export function PasswordRules({ verdicts, isShown, isSame, contextWord, isRefused }: Props) {
  const t = useTexts(portalTexts)
  const rules = useTexts(passwordRulesTexts)
  const language = useLanguage()
  const labelOf = ({ rule: { name, preset }, isNegative }: Verdict) => {
    if (preset !== undefined && isNegative === isUsuallyNegative(preset)) return rules(preset)
    const label = preset === undefined ? name : PASSWORD_PRESETS[preset][language]
    return isNegative ? t('change.not', { rule: label }) : label
  }
  if (!isShown) return null
  const unmet = verdicts.filter((verdict) => !verdict.isMet).map(labelOf)
  if (isSame) unmet.push(t('change.differs'))
  if (contextWord !== undefined) unmet.push(t('change.without', { word: contextWord }))
  if (unmet.length === 0) return null
  return (
    <ul className={css.rules} aria-label={t('change.rules')} data-refused={isRefused || undefined}>
      {unmet.map((label) => (
        <li key={label}>{label}</li>
      ))}
    </ul>
  )
}
