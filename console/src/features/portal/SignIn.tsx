// The sign-in page (S1 sections 2, 4 and 5).
import type { AppConfigs } from '@acc/contract/configs'
import type { Session } from '@acc/contract/session'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { confirm } from '../../kit/dialogs.tsx'
import { readStored, stored, writeStored } from '../../kit/storage.ts'
import { useTexts } from '../../kit/texts.ts'
import { openDmsLater } from './dms.ts'
import { Message } from './Message.tsx'
import { PasswordField } from './PasswordField.tsx'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { isPasswordOld, landing } from './portal.flow.ts'
import { portalTexts } from './portal.texts.ts'
import { signIn } from './signIn.ts'
import { Tick } from './Tick.tsx'

type Props = {
  configs: AppConfigs
  id: string | undefined
  /** The password was just changed: says so. */
  hasChanged: boolean
  onSignedIn: (session: Session) => void
  onChangePassword: (id: string, temporary: string | undefined, session: Session | null) => void
}

export function SignIn({ configs, id: given, hasChanged, onSignedIn, onChangePassword }: Props) {
  const t = useTexts(portalTexts)
  const [savesId, setSavesId] = useState(() => readStored(stored.saveId) === '1')
  const [opensDms, setOpensDms] = useState(() => readStored(stored.openDms) === '1')
  const [id, setId] = useState(() => given ?? (savesId ? (readStored(stored.id) ?? '') : ''))
  const [pw, setPw] = useState('')
  const [errors, setErrors] = useState<{ id?: string; pw?: string; message?: string }>({})
  const [isBusy, setBusy] = useState(false)
  const idField = useRef<HTMLInputElement>(null)
  const pwField = useRef<HTMLInputElement>(null)
  const canOpenDms = !configs.runtime.isExternalMode && configs.runtime.dmsLink !== ''
  const remember = () => {
    writeStored(stored.saveId, savesId ? '1' : null)
    writeStored(stored.id, savesId ? id.trim() : null)
    writeStored(stored.openDms, opensDms ? '1' : null)
  }
  const arrive = async (session: Session) => {
    const days = configs.pwChangeRecommendDays
    const isOld = isPasswordOld(session, days, Date.now())
    const changesNow =
      isOld &&
      (await confirm({
        title: t('recommend.title'),
        body: t('recommend.body', { days }),
        action: t('recommend.now'),
        cancel: t('recommend.later'),
      }))
    if (changesNow) onChangePassword(session.id, undefined, session)
    else onSignedIn(session)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    const typed = id.trim()
    const missing = { ...(typed === '' && { id: t('enterId') }), ...(pw === '' && { pw: t('enterPassword') }) }
    setErrors(missing)
    if (missing.id) return idField.current?.focus()
    if (missing.pw) return pwField.current?.focus()
    remember()
    setBusy(true)
    // The window has to be opened while the press still counts as the person's.
    const dms = canOpenDms && opensDms ? openDmsLater(configs.runtime.dmsLink) : null
    const result = await signIn(typed, pw, configs)
    setBusy(false)
    if (result.name === 'signedIn' && landing(result.session, configs) === 'main') await dms?.go()
    else dms?.giveUp()
    if (result.name === 'signedIn') return arrive(result.session)
    if (result.name === 'changePassword') return onChangePassword(typed, pw, null)
    setErrors(result.message === undefined ? {} : { message: result.message })
    setPw('')
    pwField.current?.focus()
  }
  return (
    <PortalCard configs={configs} title={t('signIn')} hint={t('signInHint')}>
      <form className={css.form} onSubmit={(event) => void submit(event)} noValidate>
        <Message tone="ok">{hasChanged ? t('change.done') : undefined}</Message>
        <TextInput
          ref={idField}
          size="md"
          label={t('id')}
          value={id}
          error={errors.id}
          maxLength={30}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={id === ''}
          onChange={(event) => setId(event.currentTarget.value)}
        />
        <PasswordField
          ref={pwField}
          label={t('password')}
          value={pw}
          onChange={setPw}
          error={errors.pw}
          autoComplete="current-password"
          autoFocus={id !== ''}
        />
        <div className={css.checks}>
          <Tick label={t('saveId')} isOn={savesId} onChange={setSavesId} />
          {canOpenDms && <Tick label={t('openDms')} isOn={opensDms} onChange={setOpensDms} />}
        </div>
        <Message tone="bad">{errors.message}</Message>
        <Button type="submit" size="md" fullWidth loading={isBusy}>
          {t('signIn')}
        </Button>
      </form>
    </PortalCard>
  )
}
