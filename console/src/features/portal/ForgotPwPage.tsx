// Forgotten password (spec S1 §2): the ID, a code if the account signs in with one, and the emailed temporary password.
import type { AppConfigs } from '@acc/contract/configs'
import { Button } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { FormMessage, IdField } from './Fields.tsx'
import { OtpStep } from './OtpStep.tsx'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { resetPw } from './portal.calls.ts'
import { portalTexts, selfServiceTexts } from './portal.texts.ts'
import { useOtpSteps } from './useOtpSteps.ts'

/** The form of a forgotten password: validation, and the masked address of the mail (spec S1 §2, §4). */
function useForgotPwForm(first: string) {
  const t = useTexts(selfServiceTexts)
  const p = useTexts(portalTexts)
  const [typed, setId] = useState(first)
  const [errors, setErrors] = useState<{ id?: string; message?: string }>({})
  const [sentTo, setSentTo] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const id = typed.trim()

  const send = async (otp?: string) => {
    const { email } = await call(resetPw, { id, ...(otp !== undefined && { otp }) })
    setSentTo(email)
  }
  const unknown = t('forgotPw.unknownId')
  const steps = useOtpSteps({
    send,
    mismatch: unknown,
    onRefused: (fields, text) => {
      // An ID that cannot exist is not registered either.
      const message = fields.includes('id') ? unknown : text
      setErrors(message === undefined ? {} : { message })
      field.current?.focus()
    },
  })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (steps.isBusy) return
    setErrors(id === '' ? { id: p('enterId') } : {})
    if (id === '') return field.current?.focus()
    await steps.begin()
  }
  return { ...steps, id, setId, errors, sentTo, field, submit }
}

type Props = { configs: AppConfigs; id: string; onSignIn: (id?: string) => void }

export function ForgotPwPage({ configs, id, onSignIn }: Props) {
  const t = useTexts(selfServiceTexts)
  const form = useForgotPwForm(id)
  const { asked, sentTo } = form
  const title = t('forgotPw.title')
  if (sentTo !== undefined) {
    return (
      <PortalCard configs={configs} title={t('forgotPw.sentTitle')} hint={form.id}>
        <div className={css.form}>
          <FormMessage tone="ok">{t('forgotPw.sent', { email: sentTo })}</FormMessage>
          <p className="quiet">{t('forgotPw.stays')}</p>
          <p className="quiet">{t('noMail')}</p>
          <Button size="md" fullWidth autoFocus onClick={() => onSignIn(form.id)}>
            {t('forgotPw.signIn')}
          </Button>
        </div>
      </PortalCard>
    )
  }
  if (asked) {
    const { send, onOther, restart } = form
    const step = { configs, title, asked, send, onOther }
    return <OtpStep {...step} id={form.id} onBack={restart} />
  }
  return (
    <PortalCard configs={configs} title={title} hint={t('forgotPw.hint')}>
      <form className={css.form} onSubmit={(event) => void form.submit(event)} noValidate>
        <IdField ref={form.field} value={form.id} error={form.errors.id} autoFocus onChange={form.setId} />
        <FormMessage tone="bad">{form.errors.message}</FormMessage>
        <Button type="submit" size="md" fullWidth loading={form.isBusy}>
          {t('forgotPw.submit')}
        </Button>
        <Button variant="subtle" color="gray" size="md" fullWidth onClick={() => onSignIn()}>
          {t('back')}
        </Button>
      </form>
    </PortalCard>
  )
}
