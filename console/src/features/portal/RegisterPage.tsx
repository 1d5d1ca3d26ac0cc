// The register step of administrators (spec S1 §2): first the license, then the mail server.
import type { AppConfigs } from '@acc/contract/configs'
import type { Route } from '@acc/contract/core/route'
import { Button, Text } from '@mantine/core'
import { Suspense, useState } from 'react'
import { call, type RouteRef } from '../../kit/api/call.ts'
import { fetchedComponent } from '../../kit/layout/fetchedComponent.ts'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { LicenseUpload } from '../licenses/exports.ts'
import { isLicenseMissing, postponeLicense } from './afterSignIn.ts'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { chooseEvaluation, chooseOutbox } from './portal.calls.ts'
import { registerTexts } from './portal.texts.ts'

/** The license: upload a file, or start with the evaluation license; an expired license can wait. */
function RegisterLicense({ configs, onDone, onSignOut }: RegisterProps) {
  const t = useTexts(registerTexts)
  const evaluation = useChoice(chooseEvaluation, onDone)
  const isExpired = configs.isEvaluation === 0
  const postpone = () => {
    postponeLicense(true)
    onDone()
  }
  return (
    <PortalCard
      configs={configs}
      title={t('license.title')}
      hint={t(isExpired ? 'license.expiredHint' : 'license.hint')}
    >
      <section className={css.missing}>
        <h2>{t(isExpired ? 'license.expired' : 'license.missing')}</h2>
        <p>{t(isExpired ? 'license.expiredBody' : 'license.missingBody')}</p>
      </section>
      <div className={css.form}>
        <LicenseUpload size="md" fullWidth extensions={configs.allowExtensionsLicense} onRegistered={onDone} />
        {isExpired ? (
          <Button variant="default" size="md" fullWidth onClick={postpone}>
            {t('license.later')}
          </Button>
        ) : (
          <Button variant="default" size="md" fullWidth loading={evaluation.isBusy} onClick={evaluation.choose}>
            {t('license.evaluation')}
          </Button>
        )}
        <Button variant="subtle" color="gray" size="md" fullWidth onClick={onSignOut}>
          {t('signOut')}
        </Button>
      </div>
    </PortalCard>
  )
}

const MailServerForm = fetchedComponent(() =>
  import('../mailServer/exports.ts').then((module) => [module.MailServerForm, kitTexts]),
)

/** The mail: a mail server, or the evaluation outbox in place of one. */
function RegisterMail({ configs, onDone, onSignOut }: RegisterProps) {
  const t = useTexts(registerTexts)
  const outbox = useChoice(chooseOutbox, onDone)
  return (
    <PortalCard configs={configs} title={t('mail.title')} hint={t('mail.hint')} width="double">
      <div className={css.halves}>
        <div>
          <Suspense fallback={null}>
            <MailServerForm onDone={onDone} />
          </Suspense>
        </div>
        <section className={css.half}>
          <h2>{t('mail.missing')}</h2>
          <p>
            {t('mail.missingBody')} {t(configs.runtime.isExternalMode ? 'mail.whereReadExternal' : 'mail.whereRead')}
          </p>
          <Text className="notice" data-tone="warn">
            {t('mail.outboxHint')}
          </Text>
          <Button variant="default" size="md" fullWidth loading={outbox.isBusy} onClick={outbox.choose}>
            {t('mail.outbox')}
          </Button>
          <Button variant="subtle" color="gray" size="md" fullWidth onClick={onSignOut}>
            {t('signOut')}
          </Button>
        </section>
      </div>
    </PortalCard>
  )
}

/** A choice of the register step that needs no input. */
function useChoice(route: RouteRef<Route>, onDone: () => void) {
  const [isBusy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    try {
      await call(route, {})
      onDone()
    } catch {
      // The global handler shows the error.
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, choose: () => void send() }
}

export type RegisterProps = {
  configs: AppConfigs
  /** Reads the configuration again, which leads to the next part or past the step. */
  onDone: () => void
  onSignOut: () => void
}

export function RegisterPage(props: RegisterProps) {
  const Part = isLicenseMissing(props.configs) ? RegisterLicense : RegisterMail
  return <Part {...props} />
}
