// The sign-in form: remembered values, validation, and handling of the response (spec S1 §4, §5).
import type { AppConfigs } from '@acc/contract/configs'
import type { Session } from '@acc/contract/session'
import { type FormEvent, useRef, useState } from 'react'
import { readStored, stored, writeStored } from '../../kit/browser/storage.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { canOpenDms, openDmsLater } from './dms.ts'
import { showOtpRequired } from './otpRequest.ts'
import { portalTexts } from './portal.texts.ts'
import { refusalOf, requestSession, type SignInRefusal } from './requestSignIn.ts'
import { useArrival } from './useArrival.ts'

/** Values that the browser remembers between sign-ins. */
function useRemembered(given: string | undefined) {
  const [savesId, setSavesId] = useState(() => readStored(stored.saveId) === '1')
  const [opensDms, setOpensDms] = useState(() => readStored(stored.openDms) === '1')
  const [id, setId] = useState(() => given ?? (savesId ? (readStored(stored.id) ?? '') : ''))
  const remember = () => {
    writeStored(stored.saveId, savesId ? '1' : null)
    writeStored(stored.id, savesId ? id.trim() : null)
    writeStored(stored.openDms, opensDms ? '1' : null)
  }
  return { id, setId, savesId, setSavesId, opensDms, setOpensDms, remember }
}

/** ID and password that the server has accepted so far. */
export type Credentials = { id: string; pw: string }
export type SignInChoices = {
  configs: AppConfigs
  onSignedIn: (session: Session) => void
  /** Of a signed-in person, who was recommended to. */
  onChangePassword: (session: Session) => void
  /** The sign-in continues with another step. */
  onStep: (step: Exclude<SignInRefusal, { name: 'failed' }>, credentials: Credentials) => void
}

export function useSignInForm({ id: given, ...choices }: SignInChoices & { id: string | undefined }) {
  const { configs, onStep } = choices
  const t = useTexts(portalTexts)
  const remembered = useRemembered(given)
  const [pw, setPw] = useState('')
  /** Undefined before the first attempt. */
  const [errors, setErrors] = useState<{ id?: string; pw?: string; message?: string }>()
  const [isBusy, setBusy] = useState(false)
  const idField = useRef<HTMLInputElement>(null)
  const pwField = useRef<HTMLInputElement>(null)
  const arrive = useArrival(choices)
  const id = remembered.id.trim()

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setErrors({ ...(id === '' && { id: t('enterId') }), ...(pw === '' && { pw: t('enterPassword') }) })
    if (id === '') return idField.current?.focus()
    if (pw === '') return pwField.current?.focus()
    remembered.remember()
    setBusy(true)
    await signIn()
    setBusy(false)
  }
  const signIn = async () => {
    // Browsers allow a new window only during the user's click.
    const dms = openDmsLater(configs.runtime, remembered.opensDms)
    try {
      await arrive(await requestSession(id, pw), dms)
    } catch (error) {
      dms?.cancel()
      const refusal = refusalOf(error, configs)
      if (refusal.name === 'otp') await showOtpRequired(error)
      if (refusal.name !== 'failed') return onStep(refusal, { id, pw })
      setErrors(refusal.message === undefined ? {} : { message: refusal.message })
      // What could not be sent is kept.
      if (refusal.message !== undefined) setPw('')
      pwField.current?.focus()
    }
  }
  return { ...remembered, pw, setPw, errors, isBusy, idField, pwField, canOpenDms: canOpenDms(configs.runtime), submit }
}
