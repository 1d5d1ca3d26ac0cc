// The register step of administrators: settings that the console requires (spec S1 §2). Without a mail server the evaluation
// outbox can be chosen.
import type { AppConfigs } from '@acc/contract/configs'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { chooseOutbox } from './portal.calls.ts'
import { portalTexts } from './portal.texts.ts'

type Props = { configs: AppConfigs; onDone: () => void; onSignOut: () => void }

export function RegisterPage({ configs, onDone, onSignOut }: Props) {
  const t = useTexts(portalTexts)
  const [isBusy, setBusy] = useState(false)
  const choose = async () => {
    setBusy(true)
    try {
      await call(chooseOutbox, {})
      onDone()
    } catch {
      // The global handler shows the error.
    } finally {
      setBusy(false)
    }
  }
  return (
    <PortalCard configs={configs} title={t('register.title')} hint={t('register.hint')}>
      {configs.isLicensed === 0 && (
        <section className={css.missing}>
          <h2>{t('register.licenseTitle')}</h2>
          <p>{t('register.licenseBody')}</p>
        </section>
      )}
      {configs.hasMailServer === 0 && (
        <section className={css.missing}>
          <h2>{t('register.mailTitle')}</h2>
          <p>{t('register.mailBody')}</p>
          <p className={css.warning}>{t('register.outboxHint')}</p>
        </section>
      )}
      <div className={css.form}>
        {configs.hasMailServer === 0 && (
          <Button size="md" fullWidth loading={isBusy} onClick={() => void choose()}>
            {t('register.outbox')}
          </Button>
        )}
        <Button variant="subtle" color="gray" size="md" fullWidth onClick={onSignOut}>
          {t('download.signOut')}
        </Button>
      </div>
    </PortalCard>
  )
}
