// The license part of the register step: upload a file, or start with the evaluation license; an expired license can wait.
import { Button } from '@mantine/core'
import { useTexts } from '../../kit/texts/texts.ts'
import { LicenseUpload } from '../licenses/exports.ts'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { chooseEvaluation } from './portal.calls.ts'
import { postponeLicense } from './postponed.ts'
import type { RegisterProps } from './RegisterPage.tsx'
import { registerTexts } from './register.texts.ts'
import { useChoice } from './useChoice.ts'

export function RegisterLicense({ configs, onDone, onSignOut }: RegisterProps) {
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
