// The form of a password change: validation, password rules, and handling of the response (spec S1 §5).
import type { OtpRegistration } from '@acc/contract/account'
import type { AppConfigs } from '@acc/contract/configs'
import { findContextWord, type PersonWords, personWords } from '@acc/contract/contextWords'
import { ApiError } from '@acc/contract/core/client'
import { type FormEvent, useEffect, useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { markHandled } from '../../kit/api/errors.ts'
import { errorText } from '../../kit/api/errorText.ts'
import { useFocusOnError } from '../../kit/form/formFields.ts'
import { text, useTexts } from '../../kit/texts/texts.ts'
import type { CustomAnswer, CustomQuestion } from './customRules.worker.ts'
import { customExpressions, judgePassword, type Rules } from './judgePassword.ts'
import { type OtpRequest, otpRequestOf, registrationOf, showOtpRequired } from './otpRequest.ts'
import { changePw } from './portal.calls.ts'
import { portalTexts } from './portal.texts.ts'
import { throttleText } from './requestSignIn.ts'

/** Returns why the server refused a new password (108); without a reason the password breaks a rule. */
function refusedPasswordText(error: ApiError): string {
  const data: object = typeof error.data === 'object' && error.data !== null ? error.data : {}
  const reason = 'reason' in data ? data.reason : undefined
  if (reason === 'temporary') return text(portalTexts, 'change.refused.temporary')
  if (reason === 'common') return text(portalTexts, 'change.refused.common')
  if (reason === 'context' && 'word' in data)
    return text(portalTexts, 'change.refused.context', { word: String(data.word) })
  if (reason === 'former' && 'count' in data)
    return text(portalTexts, 'change.refused.former', { count: Number(data.count) })
  if (reason === 'tooSoon' && 'days' in data)
    return text(portalTexts, 'change.refused.tooSoon', { count: Number(data.days) })
  return errorText(error)
}

/** Milliseconds that custom rules may take. */
const DEADLINE = 500
const NOTHING: ReadonlyMap<string, boolean> = new Map()

/**
 * Evaluates custom password rules in a worker with a deadline, so that no expression can freeze the page. Returns which
 * custom expressions match the password; those that are not evaluated (yet, or in time) are missing.
 */
function useCustomRules(rules: Rules, password: string): ReadonlyMap<string, boolean> {
  const [answer, setAnswer] = useState<{ password: string; found: ReadonlyMap<string, boolean> }>()
  useEffect(() => {
    const regs = customExpressions(rules)
    if (regs.length === 0 || password === '') return
    const worker = new Worker(new URL('./customRules.worker.ts', import.meta.url), { type: 'module' })
    const deadline = setTimeout(() => worker.terminate(), DEADLINE)
    worker.addEventListener('message', ({ data }: MessageEvent<CustomAnswer>) => {
      setAnswer({ password: data.password, found: new Map(data.found) })
      clearTimeout(deadline)
      worker.terminate()
    })
    worker.postMessage({ password, regs } satisfies CustomQuestion)
    return () => {
      clearTimeout(deadline)
      worker.terminate()
    }
  }, [rules, password])
  return answer?.password === password ? answer.found : NOTHING
}

type Errors = { current?: string; next?: string; again?: string; message?: string }
/** The password that sign-in has just refused (104): a temporary one, or one that is older than `maxDays`. */
export type RefusedPassword = { pw: string; maxDays: number | undefined }

type Choices = {
  configs: AppConfigs
  id: string
  refused: RefusedPassword | undefined
  /** The session's person, if one is signed in. */
  person: PersonWords | null
  /** `registration`: an authenticator must be registered next. */
  onDone: (newPw: string, registration: OtpRegistration | undefined) => void
}

/** Returns a lookup of the errors that the page shows itself; undefined for errors of the global handler. */
function useErrorTexts({ configs, refused }: Choices) {
  const t = useTexts(portalTexts)
  return (error: ApiError): Errors | undefined => {
    switch (error.error) {
      case 'WRONG_CREDENTIALS':
        return refused === undefined || refused.maxDays !== undefined
          ? { current: t('change.wrongCurrent', { max: configs.maxLoginFails }) }
          : { current: t('change.wrongTemporary') }
      case 'UNSUITABLE_PASSWORD':
        return { next: refusedPasswordText(error) }
      case 'TOO_MANY_REQUESTS':
      case 'SERVER_BUSY':
        return { message: throttleText(error) }
      case 'PASSWORD_ATTEMPTS_EXCEEDED':
      case 'ACCOUNT_EXPIRED':
      case 'LOGIN_TYPE_REFUSED':
      case 'OTP_ATTEMPTS_EXCEEDED':
      case 'OTP_FAILED':
        return { message: errorText(error) }
      case 'NO_EMAIL':
        return { message: t('noEmail') }
      default:
        return undefined
    }
  }
}

/** The three passwords, the verdicts on the new one, and their errors. */
function usePasswords({ configs, id, refused, person }: Choices) {
  const t = useTexts(portalTexts)
  const [current, setCurrent] = useState(refused?.pw ?? '')
  const [next, setNext] = useState('')
  const [again, setAgain] = useState('')
  const verdicts = judgePassword(configs, next, useCustomRules(configs, next))
  const isSame = next !== '' && next === current
  const words = [...Object.values(configs.runtime.product), ...personWords(person ?? { id, name: '', email: '' })]
  const contextWord = configs.refusesContextWords === 1 ? findContextWord(next, words) : undefined
  const check = (): Errors => {
    const isSuitable = !isSame && contextWord === undefined && verdicts.every((verdict) => verdict.isMet)
    return {
      ...(current === '' && { current: t('change.enterCurrent') }),
      ...(next === '' ? { next: t('change.enterNew') } : !isSuitable && { next: t('change.unsuitable') }),
      ...(again === '' ? { again: t('change.enterConfirm') } : again !== next && { again: t('change.unequal') }),
    }
  }
  return { current, setCurrent, next, setNext, again, setAgain, verdicts, isSame, contextWord, check }
}

export function useChangePasswordForm(choices: Choices) {
  const { id, onDone } = choices
  const { check, ...passwords } = usePasswords(choices)
  const { current, next } = passwords
  const [errors, setErrors] = useState<Errors>({})
  const [isBusy, setBusy] = useState(false)
  const [asked, setAsked] = useState<OtpRequest>()
  const errorTexts = useErrorTexts(choices)
  const focusError = useFocusOnError()

  const send = async (otp?: string) => {
    const data = await call(changePw, { id, pw: current, newPw: next, ...(otp !== undefined && { otp }) })
    onDone(next, registrationOf(data))
  }
  /** Shows what concerns the passwords in the form, also after the OTP step. */
  const refuse = (error: unknown): undefined => {
    const shown = error instanceof ApiError ? errorTexts(error) : undefined
    if (!shown) return
    markHandled(error)
    setErrors(shown)
    setAsked(undefined)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const form = event.currentTarget
    const found = check()
    setErrors(found)
    if (Object.keys(found).length > 0) focusError(form)
    if (Object.keys(found).length > 0 || isBusy) return
    setBusy(true)
    try {
      await send()
    } catch (error) {
      const request = otpRequestOf(error)
      if (!request) {
        focusError(form)
        return refuse(error)
      }
      markHandled(error)
      await showOtpRequired(error)
      setAsked(request)
    } finally {
      setBusy(false)
    }
  }
  return { ...passwords, errors, isBusy, asked, submit, send, refuse, restart: () => setAsked(undefined) }
}
