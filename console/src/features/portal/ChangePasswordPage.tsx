// Changing the password (spec S1 §2, §4, §5).
import type { OtpRegistration } from '@acc/contract/account'
import type { AppConfigs } from '@acc/contract/configs'
import { isUsuallyNegative, PASSWORD_PRESETS } from '@acc/contract/labels/passwordRules'
import type { Session } from '@acc/contract/session'
import { Button, TextInput } from '@mantine/core'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { FormMessage, PasswordField } from './Fields.tsx'
import { isHintTrue, type Verdict } from './judgePassword.ts'
import { OtpStep } from './OtpStep.tsx'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { passwordRulesTexts, portalTexts } from './portal.texts.ts'
import { type RefusedPassword, useChangePasswordForm } from './useChangePasswordForm.ts'

type PasswordRulesProps = {
  verdicts: readonly Verdict[]
  /**
   * Whether a password was typed. The list is rendered before, so that its texts load with the page. A page that waits
   * for them while a person types hides its fields, and the rest of the password is lost.
   */
  isShown: boolean
  /** Whether the new password equals the current one. */
  isSame: boolean
  /** A name in the password that everyone around its owner knows. */
  contextWord: string | undefined
  isRefused: boolean
}

/** The password rules that a new password does not meet yet; red after the form was rejected because of them. */
function PasswordRules({ verdicts, isShown, isSame, contextWord, isRefused }: PasswordRulesProps) {
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

type Props = {
  configs: AppConfigs
  id: string
  refused: RefusedPassword | undefined
  /** The session's person, if one is signed in. */
  person: Session | null
  onDone: (newPw: string, registration: OtpRegistration | undefined) => void
  onBack: () => void
}

export function ChangePasswordPage({ onBack, ...props }: Props) {
  const { configs, id, refused, person } = props
  const t = useTexts(portalTexts)
  const form = useChangePasswordForm(props)
  const { errors, asked, send, refuse, restart } = form
  const days = refused?.maxDays
  const why = days === undefined ? t('change.temporary') : t('change.tooOld', { count: days })
  const hint = refused === undefined ? t('change.hint') : why
  if (asked) {
    const step = { configs, id, asked, send, title: t('change.title') }
    return <OtpStep {...step} onOther={refuse} onBack={restart} />
  }
  return (
    <PortalCard configs={configs} title={t('change.title')} hint={hint}>
      <form className={css.form} onSubmit={(event) => void form.submit(event)} noValidate>
        <TextInput size="md" label={t('id')} value={id} readOnly autoComplete="username" />
        <PasswordField
          label={t('change.current')}
          value={form.current}
          onChange={form.setCurrent}
          error={errors.current}
          autoComplete="current-password"
          autoFocus={refused === undefined}
        />
        <PasswordField
          label={t('change.new')}
          value={form.next}
          onChange={form.setNext}
          hint={isHintTrue(configs) ? t('change.rulesHint') : undefined}
          error={errors.next}
          autoComplete="new-password"
          autoFocus={refused !== undefined}
        />
        <PasswordRules
          verdicts={form.verdicts}
          isShown={form.next !== ''}
          isSame={form.isSame}
          contextWord={form.contextWord}
          isRefused={errors.next !== undefined}
        />
        <PasswordField
          label={t('change.confirm')}
          value={form.again}
          onChange={form.setAgain}
          error={errors.again}
          autoComplete="new-password"
        />
        <FormMessage tone="bad">{errors.message}</FormMessage>
        <Button type="submit" size="md" fullWidth loading={form.isBusy}>
          {t('change.submit')}
        </Button>
        <Button variant="subtle" color="gray" size="md" fullWidth onClick={onBack}>
          {person ? t('change.cancel') : t('change.back')}
        </Button>
      </form>
    </PortalCard>
  )
}
