// The mail part of the register step: a mail server, or the evaluation outbox in place of one.
import { Button } from '@mantine/core'
import { Suspense } from 'react'
import { fetchedComponent } from '../../kit/layout/fetchedComponent.ts'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { chooseOutbox } from './portal.calls.ts'
import type { RegisterProps } from './RegisterPage.tsx'
import { registerTexts } from './register.texts.ts'
import { useChoice } from './useChoice.ts'

const MailServerForm = fetchedComponent(() =>
  import('../mailServer/exports.ts').then((module) => [module.MailServerForm, kitTexts]),
)

export function RegisterMail({ configs, onDone, onSignOut }: RegisterProps) {
  const t = useTexts(registerTexts)
  const outbox = useChoice(chooseOutbox, onDone)
  return (
    <PortalCard configs={configs} title={t('mail.title')} hint={t('mail.hint')}>
      <Suspense fallback={null}>
        <MailServerForm onDone={onDone} />
      </Suspense>
      <section className={css.alternative}>
        <h2>{t('mail.missing')}</h2>
        <p>
          {t('mail.missingBody')} {t(configs.runtime.isExternalMode ? 'mail.whereReadExternal' : 'mail.whereRead')}
        </p>
        <p className={css.warning}>{t('mail.outboxHint')}</p>
      </section>
      <div className={css.form}>
        <Button variant="default" size="md" fullWidth loading={outbox.isBusy} onClick={outbox.choose}>
          {t('mail.outbox')}
        </Button>
        <Button variant="subtle" color="gray" size="md" fullWidth onClick={onSignOut}>
          {t('signOut')}
        </Button>
      </div>
    </PortalCard>
  )
}
