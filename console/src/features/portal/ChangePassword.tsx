// Changing the password, with the rules ticked as they are met (S1 sections 2, 4 and 5).
import { ApiError } from '@acc/contract/client'
import type { AppConfigs } from '@acc/contract/configs'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { call } from '../../kit/call.ts'
import { claim } from '../../kit/errors.ts'
import { errorText } from '../../kit/errorText.ts'
import { useTexts } from '../../kit/texts.ts'
import { Message } from './Message.tsx'
import { PasswordField } from './PasswordField.tsx'
import { PasswordRules } from './PasswordRules.tsx'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { changePw } from './portal.calls.ts'
import { judgePassword } from './portal.flow.ts'
import { portalTexts } from './portal.texts.ts'
import { throttleText } from './signIn.ts'

type Props = {
  configs: AppConfigs
  id: string
  /** The temporary password that signing in has just refused (104). */
  temporary: string | undefined
  isSignedIn: boolean
  onDone: () => void
  onBack: () => void
}
type Errors = { current?: string; new?: string; confirm?: string; message?: string }

export function ChangePassword({ configs, id, temporary, isSignedIn, onDone, onBack }: Props) {
  const t = useTexts(portalTexts)
  const [current, setCurrent] = useState(temporary ?? '')
  const [next, setNext] = useState('')
  const [again, setAgain] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [isBusy, setBusy] = useState(false)
  const verdicts = judgePassword(configs, next)
  const differs = next !== '' && next !== current

  const check = (): Errors => {
    const suits = differs && verdicts.every((verdict) => verdict.isMet)
    return {
      ...(current === '' && { current: t('change.enterCurrent') }),
      ...(next === '' ? { new: t('change.enterNew') } : !suits && { new: t('change.unsuitable') }),
      ...(again === '' ? { confirm: t('change.enterConfirm') } : again !== next && { confirm: t('change.unequal') }),
    }
  }
  /** Errors that stand at a field or on the page; others go to the global handler. */
  const explain = (error: ApiError): Errors | undefined => {
    switch (error.error) {
      case 'WRONG_CREDENTIALS':
        return { current: t('change.wrongCurrent', { max: configs.maxLoginFails }) }
      case 'UNSUITABLE_PASSWORD':
        return { new: errorText(error) }
      case 'TOO_MANY_REQUESTS':
        return { message: throttleText(error) }
      case 'PASSWORD_ATTEMPTS_EXCEEDED':
      case 'ACCOUNT_EXPIRED':
      case 'LOGIN_TYPE_REFUSED':
        return { message: errorText(error) }
      default:
        return undefined
    }
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const found = check()
    setErrors(found)
    if (Object.keys(found).length > 0 || isBusy) return
    setBusy(true)
    try {
      await call(changePw, { id, pw: current, newPw: next })
      onDone()
    } catch (error) {
      const explained = error instanceof ApiError ? explain(error) : undefined
      if (explained) {
        claim(error)
        setErrors(explained)
      }
    } finally {
      setBusy(false)
    }
  }
  return (
    <PortalCard configs={configs} title={t('change.title')} hint={temporary ? t('change.temporary') : t('change.hint')}>
      <form className={css.form} onSubmit={(event) => void submit(event)} noValidate>
        <TextInput size="md" label={t('id')} value={id} readOnly autoComplete="username" />
        <PasswordField
          label={t('change.current')}
          value={current}
          onChange={setCurrent}
          error={errors.current}
          autoComplete="current-password"
          autoFocus={!temporary}
        />
        <PasswordField
          label={t('change.new')}
          value={next}
          onChange={setNext}
          error={errors.new}
          autoComplete="new-password"
          autoFocus={temporary !== undefined}
        />
        <PasswordField
          label={t('change.confirm')}
          value={again}
          onChange={setAgain}
          error={errors.confirm}
          autoComplete="new-password"
        />
        <PasswordRules verdicts={verdicts} differs={differs} isEmpty={next === ''} />
        <Message tone="bad">{errors.message}</Message>
        <Button type="submit" size="md" fullWidth loading={isBusy}>
          {t('change.submit')}
        </Button>
        <Button variant="subtle" color="gray" size="md" fullWidth onClick={onBack}>
          {isSignedIn ? t('change.cancel') : t('change.back')}
        </Button>
      </form>
    </PortalCard>
  )
}
