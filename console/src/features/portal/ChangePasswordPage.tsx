// Changing the password (spec S1 §2, §4, §5).
import type { OtpRegistration } from '@acc/contract/account'
import type { AppConfigs } from '@acc/contract/configs'
import type { Session } from '@acc/contract/session'
import { Button, TextInput } from '@mantine/core'
import { useTexts } from '../../kit/texts/texts.ts'
import { FormMessage } from './FormMessage.tsx'
import { isHintTrue } from './judgePassword.ts'
import { OtpStep } from './OtpStep.tsx'
import { PasswordField } from './PasswordField.tsx'
import { PasswordRules } from './PasswordRules.tsx'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { portalTexts } from './portal.texts.ts'
import { type RefusedPassword, useChangePasswordForm } from './useChangePasswordForm.ts'

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
