// The license menu of the settings (spec S1 §2): the license in force, its upload, PCs per user, and the registered PCs.
import { api } from '@acc/contract'
import { type LicenseStatus, MAX_DEVICES_PER_USER } from '@acc/contract/licenses'
import { NumberInput } from '@mantine/core'
import { useViewer } from '../../kit/api/viewer.ts'
import { showToast } from '../../kit/dialogs/toast.tsx'
import { useSharedSave } from '../../kit/form/SharedSave.tsx'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { Hint, Section } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { DeviceTable } from './DeviceTable.tsx'
import { LicenseOverview } from './LicenseOverview.tsx'
import css from './Licenses.module.css'
import { LicenseUpload } from './LicenseUpload.tsx'
import { useLicense } from './licenses.queries.ts'
import { licensesTexts } from './licenses.texts.ts'

function DevicesPerUser({ license, whyDisabled }: { license: LicenseStatus; whyDisabled: string | undefined }) {
  const t = useTexts(licensesTexts)
  const form = useApiForm(api.licenses.setDevicesPerUser, { initial: { devicesPerUser: license.devicesPerUser } })
  const id = useSharedSave(form, whyDisabled)
  return (
    <form id={id} onSubmit={form.submit} noValidate>
      <NumberInput
        label={t('devicesPerUser')}
        description={t('devicesPerUserHint')}
        maw={280}
        min={1}
        max={MAX_DEVICES_PER_USER}
        allowDecimal={false}
        {...form.field('devicesPerUser')}
      />
    </form>
  )
}

export function LicensesPanel() {
  const t = useTexts(licensesTexts)
  const { configs } = useViewer()
  return (
    <QueryState of={useLicense()}>
      {(license, { whyDisabled }) => (
        <div className={css.panel}>
          <div className={css.top}>
            <Section title={t('status')}>
              <LicenseOverview license={license} />
              <div className={css.upload}>
                <LicenseUpload
                  variant="default"
                  extensions={configs.allowExtensionsLicense}
                  onRegistered={() => showToast(t('registeredDone'))}
                />
              </div>
            </Section>
            <DevicesPerUser key={license.devicesPerUser} license={license} whyDisabled={whyDisabled} />
          </div>
          <section className={css.devices} aria-label={t('devices')}>
            <div className={css.head}>
              <h3>{t('devices')}</h3>
              <Hint>{t('devicesHint')}</Hint>
            </div>
            <DeviceTable useCount={license.useCount} />
          </section>
        </div>
      )}
    </QueryState>
  )
}
