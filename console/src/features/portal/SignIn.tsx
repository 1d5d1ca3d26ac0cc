// The sign-in page (S1 sections 2, 4 and 5).
import type { AppConfigs } from '@acc/contract/configs'
import type { Session } from '@acc/contract/session'
import { Button, TextInput } from '@mantine/core'
import { useTexts } from '../../kit/texts/texts.ts'
import { Message } from './Message.tsx'
import { PasswordField } from './PasswordField.tsx'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { portalTexts } from './portal.texts.ts'
import { Tick } from './Tick.tsx'
import { useSignIn } from './useSignIn.ts'

type Props = {
  configs: AppConfigs
  id: string | undefined
  /** The password was just changed: says so. */
  hasChanged: boolean
  onSignedIn: (session: Session) => void
  onChangePassword: (id: string, temporary: string | undefined, session: Session | null) => void
}

export function SignIn({ hasChanged, ...props }: Props) {
  const t = useTexts(portalTexts)
  const form = useSignIn(props)
  const { errors } = form
  return (
    <PortalCard configs={props.configs} title={t('signIn')} hint={t('signInHint')}>
      <form className={css.form} onSubmit={(event) => void form.submit(event)} noValidate>
        <Message tone="ok">{hasChanged ? t('change.done') : undefined}</Message>
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
          <Tick label={t('saveId')} isOn={form.savesId} onChange={form.setSavesId} />
          {form.canOpenDms && <Tick label={t('openDms')} isOn={form.opensDms} onChange={form.setOpensDms} />}
        </div>
        <Message tone="bad">{errors.message}</Message>
        <Button type="submit" size="md" fullWidth loading={form.isBusy}>
          {t('signIn')}
        </Button>
      </form>
    </PortalCard>
  )
}
