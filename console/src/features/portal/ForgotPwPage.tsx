// Forgotten password: the ID, a code if the account signs in with one, and the temporary password that is emailed (spec S1 §2).
import type { AppConfigs } from '@acc/contract/configs'
import { Button } from '@mantine/core'
import { useTexts } from '../../kit/texts/texts.ts'
import { FormMessage } from './FormMessage.tsx'
import { IdField } from './IdField.tsx'
import { OtpStep } from './OtpStep.tsx'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { selfServiceTexts } from './selfService.texts.ts'
import { useForgotPwForm } from './useForgotPwForm.ts'

type Props = { configs: AppConfigs; id: string; onSignIn: (id?: string) => void }

export function ForgotPwPage({ configs, id, onSignIn }: Props) {
  const t = useTexts(selfServiceTexts)
  const form = useForgotPwForm(id)
  const { asked, sentTo } = form
  const title = t('forgotPw.title')
  if (sentTo !== undefined) {
    return (
      <PortalCard configs={configs} title={t('forgotPw.sentTitle')} hint={form.id}>
        <div className={css.form}>
          <FormMessage tone="ok">{t('forgotPw.sent', { email: sentTo })}</FormMessage>
          <p className={css.note}>{t('forgotPw.stays')}</p>
          <p className={css.note}>{t('noMail')}</p>
          <Button size="md" fullWidth autoFocus onClick={() => onSignIn(form.id)}>
            {t('forgotPw.signIn')}
          </Button>
        </div>
      </PortalCard>
    )
  }
  if (asked) {
    const { send, onOther, restart } = form
    const step = { configs, title, asked, send, onOther }
    return <OtpStep {...step} id={form.id} onBack={restart} />
  }
  return (
    <PortalCard configs={configs} title={title} hint={t('forgotPw.hint')}>
      <form className={css.form} onSubmit={(event) => void form.submit(event)} noValidate>
        <IdField ref={form.field} value={form.id} error={form.errors.id} autoFocus onChange={form.setId} />
        <FormMessage tone="bad">{form.errors.message}</FormMessage>
        <Button type="submit" size="md" fullWidth loading={form.isBusy}>
          {t('forgotPw.submit')}
        </Button>
        <Button variant="subtle" color="gray" size="md" fullWidth onClick={() => onSignIn()}>
          {t('back')}
        </Button>
      </form>
    </PortalCard>
  )
}
