// The OTP step of a portal page: the ID and the field of the code (spec S1 §2).
import { Button, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../kit/texts/texts.ts'
import { FormMessage } from './Fields.tsx'
import { OtpField, OtpManualLink } from './OtpField.tsx'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { selfServiceTexts } from './portal.texts.ts'
import { type OtpStepChoices, useOtpStep } from './useOtpStep.ts'

type Props = OtpStepChoices & {
  /** Absent while it is being looked for. */
  id?: string
  title?: string
  /** Above the form. */
  notice?: ReactNode
  onBack: () => void
}

export function OtpStep({ id, title, notice, onBack, ...choices }: Props) {
  const t = useTexts(selfServiceTexts)
  const form = useOtpStep(choices)
  const isMailed = form.asked !== 'OTP_REQUIRED'
  const canResend = isMailed && form.said.isOver !== true
  const hint = isMailed ? t('step.byMail') : t('step.byApp')
  return (
    <PortalCard configs={choices.configs} title={title ?? t('step.title')} hint={hint}>
      <form className={css.form} onSubmit={(event) => void form.submit(event)} noValidate>
        {notice}
        {id !== undefined && <TextInput size="md" label={t('step.id')} value={id} readOnly autoComplete="username" />}
        <OtpField ref={form.field} value={form.otp} onChange={form.setOtp} error={form.said.field} autoFocus />
        <FormMessage tone="warn">{form.said.notice}</FormMessage>
        <FormMessage tone="bad">{form.said.message}</FormMessage>
        <Button type="submit" size="md" fullWidth loading={form.isBusy}>
          {t('step.submit')}
        </Button>
        {canResend && (
          <Button variant="default" size="md" fullWidth disabled={form.isBusy} onClick={form.resend}>
            {t('step.resend')}
          </Button>
        )}
        {canResend && <p className="quiet">{t('noMail')}</p>}
        <Button variant="subtle" color="gray" size="md" fullWidth onClick={onBack}>
          {t('step.back')}
        </Button>
      </form>
      <OtpManualLink />
    </PortalCard>
  )
}
