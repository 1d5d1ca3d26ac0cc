// The sign-in page (spec S1 §2, §4, §5).
import type { ErrorName } from '@acc/contract/core/errors'
import { Button, Group, UnstyledButton } from '@mantine/core'
import { useEffect, useState } from 'react'
import { errorTexts } from '../../kit/api/errorText.ts'
import { text, useTexts } from '../../kit/texts/texts.ts'
import { Checkbox, FormMessage, IdField, PasswordField } from './Fields.tsx'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { portalTexts } from './portal.texts.ts'
import { chooseSso, offersSso } from './sso.ts'
import { type SignInChoices, useSignInForm } from './useSignInForm.ts'

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
