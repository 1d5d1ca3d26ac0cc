// The sign-in page: remembered values, validation, and handling of the response (spec S1 §2, §4, §5).
import type { AppConfigs } from '@acc/contract/configs'
import type { ErrorName } from '@acc/contract/core/errors'
import type { Session } from '@acc/contract/session'
import { Button, Group, UnstyledButton } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { errorTexts } from '../../kit/api/errorText.ts'
import { readStored, stored, writeStored } from '../../kit/browser/storage.ts'
import { text, useTexts } from '../../kit/texts/texts.ts'
import { Checkbox, FormMessage, IdField, PasswordField } from './Fields.tsx'
import { showOtpRequired } from './otpRequest.ts'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { portalTexts } from './portal.texts.ts'
import { refusalOf, requestSession, type SignInRefusal } from './requestSignIn.ts'
import { chooseSso, offersSso } from './sso.ts'
import { canOpenDms, openDmsLater, useArrival } from './useArrival.ts'

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

function useSignInForm({ id: given, ...choices }: SignInChoices & { id: string | undefined }) {
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

type Props = SignInChoices & {
  id: string | undefined
  /** What was just completed. */
  done: string | undefined
  /** Why a single sign-on ended without a session. */
  ssoError: ErrorName | undefined
  /** The next page is being fetched. */
  isTurning: boolean
  /** Where the console opens after the sign-in. */
  go: string | undefined
  onForgotId: () => void
  onForgotPw: (id: string) => void
}

/** Milliseconds after which the provider can be asked again; the server waits for it for less. */
const LEAVING = 10_000

function SsoButton({ go }: { go: string | undefined }) {
  const t = useTexts(portalTexts)
  const [isLeaving, setLeaving] = useState(false)
  useEffect(() => {
    if (!isLeaving) return
    const stay = () => setLeaving(false)
    const timer = setTimeout(stay, LEAVING)
    // Back from the provider shows the page as it was left.
    addEventListener('pageshow', stay)
    return () => {
      clearTimeout(timer)
      removeEventListener('pageshow', stay)
    }
  }, [isLeaving])
  const leave = () => {
    setLeaving(true)
    chooseSso(go)
  }
  return (
    <Button variant="default" size="md" fullWidth loading={isLeaving} onClick={leave}>
      {t('signInBySso')}
    </Button>
  )
}

export function SignInPage({ done, ssoError, isTurning, go, onForgotId, onForgotPw, ...props }: Props) {
  const t = useTexts(portalTexts)
  const form = useSignInForm(props)
  const errors = form.errors ?? { message: ssoError && text(errorTexts, ssoError) }
  return (
    <PortalCard configs={props.configs} title={t('signIn')} hint={t('signInHint')}>
      <form className={css.form} onSubmit={(event) => void form.submit(event)} noValidate>
        <FormMessage tone="ok">{done}</FormMessage>
        <IdField
          ref={form.idField}
          value={form.id}
          error={errors.id}
          autoFocus={form.id === ''}
          onChange={form.setId}
        />
        <PasswordField
          ref={form.pwField}
          label={t('password')}
          value={form.pw}
          onChange={form.setPw}
          error={errors.pw}
          autoComplete="current-password"
          autoFocus={form.id !== ''}
        />
        <div className={css.checks}>
          <Checkbox label={t('saveId')} isOn={form.savesId} onChange={form.setSavesId} />
          {form.canOpenDms && <Checkbox label={t('openDms')} isOn={form.opensDms} onChange={form.setOpensDms} />}
        </div>
        <FormMessage tone="bad">{errors.message}</FormMessage>
        <Button type="submit" size="md" fullWidth loading={form.isBusy || isTurning}>
          {t('signIn')}
        </Button>
        {offersSso(props.configs) && <SsoButton go={go} />}
      </form>
      <Group justify="center" gap={20} mt={14}>
        <UnstyledButton className={css.link} onClick={onForgotId}>
          {t('findId')}
        </UnstyledButton>
        <UnstyledButton className={css.link} onClick={() => onForgotPw(form.id.trim())}>
          {t('findPw')}
        </UnstyledButton>
      </Group>
    </PortalCard>
  )
}
