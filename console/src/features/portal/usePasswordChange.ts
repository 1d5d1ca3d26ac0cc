// The form of a password change: what is missing, what the rules say, and what the server's answer means (S1 section 5).

import type { AppConfigs } from '@acc/contract/configs'
import { ApiError } from '@acc/contract/core/client'
import { type FormEvent, useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { markHandled } from '../../kit/api/errors.ts'
import { errorText } from '../../kit/api/errorText.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { changePw } from './portal.calls.ts'
import { judgePassword } from './portal.flow.ts'
import { portalTexts } from './portal.texts.ts'
import { throttleText } from './signIn.ts'

type Errors = { current?: string; next?: string; again?: string; message?: string }
type Choices = { configs: AppConfigs; id: string; temporary: string | undefined; onDone: () => void }

/** Errors that stand at a field or on the page; undefined for those of the global handler. */
function useExplanation(maxLoginFails: number) {
  const t = useTexts(portalTexts)
  return (error: ApiError): Errors | undefined => {
    switch (error.error) {
      case 'WRONG_CREDENTIALS':
        return { current: t('change.wrongCurrent', { max: maxLoginFails }) }
      case 'UNSUITABLE_PASSWORD':
        return { next: errorText(error) }
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
}

export function usePasswordChange({ configs, id, temporary, onDone }: Choices) {
  const t = useTexts(portalTexts)
  const [current, setCurrent] = useState(temporary ?? '')
  const [next, setNext] = useState('')
  const [again, setAgain] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [isBusy, setBusy] = useState(false)
  const explain = useExplanation(configs.maxLoginFails)
  const verdicts = judgePassword(configs, next)
  const differs = next !== '' && current !== '' && next !== current

  const check = (): Errors => {
    const suits = next !== current && verdicts.every((verdict) => verdict.isMet)
    return {
      ...(current === '' && { current: t('change.enterCurrent') }),
      ...(next === '' ? { next: t('change.enterNew') } : !suits && { next: t('change.unsuitable') }),
      ...(again === '' ? { again: t('change.enterConfirm') } : again !== next && { again: t('change.unequal') }),
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
        markHandled(error)
        setErrors(explained)
      }
    } finally {
      setBusy(false)
    }
  }
  return { current, setCurrent, next, setNext, again, setAgain, errors, isBusy, verdicts, differs, submit }
}
