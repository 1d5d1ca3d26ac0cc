// Forgotten ID: name and email address, then a code, then the ID to copy (spec S1 §2).
import type { AppConfigs } from '@acc/contract/configs'
import { MAX_LENGTH } from '@acc/contract/core/limits'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { CopyText } from './CopyText.tsx'
import { FormMessage } from './Fields.tsx'
import { OtpStep } from './OtpStep.tsx'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { findId } from './portal.calls.ts'
import { selfServiceTexts } from './portal.texts.ts'
import { useOtpSteps } from './useOtpSteps.ts'

type Errors = { name?: string; email?: string; message?: string }

/** The form of a forgotten ID: validation, and the ID that was found (spec S1 §2, §4). */
function useForgotIdForm() {
  const t = useTexts(selfServiceTexts)
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [found, setFound] = useState<string>()
  const nameField = useRef<HTMLInputElement>(null)
  const emailField = useRef<HTMLInputElement>(null)

  const send = async (otp?: string) => {
    const { id } = await call(findId, { name: name.trim(), email: email.trim(), ...(otp !== undefined && { otp }) })
    setFound(id)
  }
  const refuse = (next: Errors) => {
    setErrors(next)
    if (next.name !== undefined) nameField.current?.focus()
    else if (next.email !== undefined) emailField.current?.focus()
    else if (next.message !== undefined) nameField.current?.focus()
  }
  const steps = useOtpSteps({
    send,
    mismatch: t('forgotId.mismatch'),
    onRefused: (fields, message) =>
      refuse({
        ...(fields.includes('name') && { name: t('forgotId.nameFormat') }),
        ...(fields.includes('email') && { email: t('forgotId.emailFormat') }),
        ...(message !== undefined && { message }),
      }),
  })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (steps.isBusy) return
    const missing = {
      ...(name.trim() === '' && { name: t('forgotId.enterName') }),
      ...(email.trim() === '' && { email: t('forgotId.enterEmail') }),
    }
    refuse(missing)
    if (Object.keys(missing).length > 0) return
    await steps.begin()
  }
  const values = { name, setName, email, setEmail, nameField, emailField }
  return { ...values, ...steps, errors, found, submit }
}

type Props = { configs: AppConfigs; onSignIn: (id?: string) => void }

export function ForgotIdPage({ configs, onSignIn }: Props) {
  const t = useTexts(selfServiceTexts)
  const form = useForgotIdForm()
  const { found, asked, errors } = form
  const title = t('forgotId.title')
  if (found !== undefined) {
    return (
      <PortalCard configs={configs} title={title} hint={t('forgotId.found')}>
        <div className={css.form}>
          <CopyText
            value={found}
            label={t('forgotId.copy', { id: found })}
            hint={t('forgotId.clickToCopy')}
            done={t('forgotId.copied')}
          />
          <Button size="md" fullWidth autoFocus onClick={() => onSignIn(found)}>
            {t('forgotId.signIn')}
          </Button>
        </div>
      </PortalCard>
    )
  }
  if (asked) {
    const { send, onOther, restart } = form
    return <OtpStep configs={configs} title={title} asked={asked} send={send} onOther={onOther} onBack={restart} />
  }
  return (
    <PortalCard configs={configs} title={title} hint={t('forgotId.hint')}>
      <form className={css.form} onSubmit={(event) => void form.submit(event)} noValidate>
        <TextInput
          ref={form.nameField}
          size="md"
          label={t('forgotId.name')}
          value={form.name}
          error={errors.name}
          maxLength={MAX_LENGTH.personName}
          autoComplete="name"
          autoFocus
          onChange={(event) => form.setName(event.currentTarget.value)}
        />
        <TextInput
          ref={form.emailField}
          size="md"
          label={t('forgotId.email')}
          value={form.email}
          error={errors.email}
          maxLength={MAX_LENGTH.email}
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => form.setEmail(event.currentTarget.value)}
        />
        <FormMessage tone="bad">{errors.message}</FormMessage>
        <Button type="submit" size="md" fullWidth loading={form.isBusy}>
          {t('forgotId.submit')}
        </Button>
        <Button variant="subtle" color="gray" size="md" fullWidth onClick={() => onSignIn()}>
          {t('back')}
        </Button>
      </form>
    </PortalCard>
  )
}
