// The sign-in form: remembered values, validation, and handling of the response (spec S1 §4, §5).
import type { AppConfigs } from '@acc/contract/configs'
import type { Session } from '@acc/contract/session'
import { type FormEvent, useRef, useState } from 'react'
import { readStored, stored, writeStored } from '../../kit/browser/storage.ts'
import { confirm } from '../../kit/dialogs/dialogs.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { isPasswordOld, landing } from './afterSignIn.ts'
import { type DmsWindow, openDmsLater } from './dms.ts'
import { portalTexts } from './portal.texts.ts'
import { postponeLicense } from './postponed.ts'
import { requestSignIn, type SignInResult } from './requestSignIn.ts'

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

/** Shows the password-change recommendation if it is due; resolves to whether to change the password now. */
function useRecommendation(days: number) {
  const t = useTexts(portalTexts)
  return async (session: Session): Promise<boolean> =>
    isPasswordOld(session, days, Date.now()) &&
    (await confirm({
      title: t('recommend.title'),
      body: t('recommend.body', { days }),
      action: t('recommend.now'),
      cancel: t('recommend.later'),
    }))
}

type Choices = {
  configs: AppConfigs
  id: string | undefined
  onSignedIn: (session: Session) => void
  onChangePassword: (id: string, temporary: string | undefined, session: Session | null) => void
}

export function useSignInForm({ configs, id: given, onSignedIn, onChangePassword }: Choices) {
  const t = useTexts(portalTexts)
  const remembered = useRemembered(given)
  const [pw, setPw] = useState('')
  /** Undefined before the first attempt. */
  const [errors, setErrors] = useState<{ id?: string; pw?: string; message?: string }>()
  const [isBusy, setBusy] = useState(false)
  const idField = useRef<HTMLInputElement>(null)
  const pwField = useRef<HTMLInputElement>(null)
  const wantsChange = useRecommendation(configs.pwChangeRecommendDays)
  const canOpenDms = !configs.runtime.isExternalMode && configs.runtime.dmsLink !== ''
  const id = remembered.id.trim()

  const fail = (message: string | undefined) => {
    setErrors(message === undefined ? {} : { message })
    setPw('')
    pwField.current?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setErrors({ ...(id === '' && { id: t('enterId') }), ...(pw === '' && { pw: t('enterPassword') }) })
    if (id === '') return idField.current?.focus()
    if (pw === '') return pwField.current?.focus()
    remembered.remember()
    setBusy(true)
    // Browsers allow a new window only during the user's click.
    const dms = canOpenDms && remembered.opensDms ? openDmsLater(configs.runtime.dmsLink) : null
    const result = await requestSignIn(id, pw, configs)
    setBusy(false)
    await follow(result, dms)
  }
  const follow = async (result: SignInResult, dms: DmsWindow | null) => {
    if (result.name !== 'signedIn') {
      dms?.cancel()
      return result.name === 'changePassword' ? onChangePassword(id, pw, null) : fail(result.message)
    }
    const { session } = result
    postponeLicense(false)
    const changesPassword = await wantsChange(session)
    // The DMS window belongs to the console, which is entered only now.
    if (!changesPassword && landing(session, configs) === 'main') await dms?.open()
    else dms?.cancel()
    if (changesPassword) onChangePassword(session.id, undefined, session)
    else onSignedIn(session)
  }
  return { ...remembered, pw, setPw, errors, isBusy, idField, pwField, canOpenDms, submit }
}
