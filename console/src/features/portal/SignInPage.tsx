// The sign-in page (spec S1 §2, §4, §5).
import type { AppConfigs } from '@acc/contract/configs'
import type { ErrorName } from '@acc/contract/core/errors'
import type { Session } from '@acc/contract/session'
import { Button, TextInput } from '@mantine/core'
import { errorTexts } from '../../kit/api/errors.texts.ts'
import { text, useTexts } from '../../kit/texts/texts.ts'
import { FormMessage } from './FormMessage.tsx'
import { PasswordField } from './PasswordField.tsx'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { portalTexts } from './portal.texts.ts'
import { chooseSso, offersSso } from './sso.ts'
import { useSignInForm } from './useSignInForm.ts'

type Props = {
  configs: AppConfigs
  id: string | undefined
  /** Whether the password was just changed. */
  hasChanged: boolean
  /** Why a single sign-on ended without a session. */
  ssoError: ErrorName | undefined
  onSignedIn: (session: Session) => void
  onChangePassword: (id: string, temporary: string | undefined, session: Session | null) => void
}

export function SignInPage({ hasChanged, ssoError, ...props }: Props) {
  const t = useTexts(portalTexts)
  const form = useSignInForm(props)
  const errors = form.errors ?? { message: ssoError && text(errorTexts, ssoError) }
  return (
    <PortalCard configs={props.configs} title={t('signIn')} hint={t('signInHint')}>
      <form className={css.form} onSubmit={(event) => void form.submit(event)} noValidate>
        <FormMessage tone="ok">{hasChanged ? t('change.done') : undefined}</FormMessage>
        <TextInput
          ref={form.idField}
          size="md"
          label={t('id')}
          value={form.id}
          error={errors.id}
          maxLength={30}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={form.id === ''}
          onChange={(event) => form.setId(event.currentTarget.value)}
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
        <Button type="submit" size="md" fullWidth loading={form.isBusy}>
          {t('signIn')}
        </Button>
        {offersSso(props.configs) && (
          <Button variant="default" size="md" fullWidth onClick={chooseSso}>
            {t('signInBySso')}
          </Button>
        )}
      </form>
    </PortalCard>
  )
}

type CheckboxProps = { label: string; isOn: boolean; onChange: (isOn: boolean) => void }

/** The browser's own checkbox, which is lighter than Mantine's. */
function Checkbox({ label, isOn, onChange }: CheckboxProps) {
  return (
    <label className={css.checkbox}>
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  )
}
