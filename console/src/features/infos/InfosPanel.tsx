// The information menu (spec S1 §2, §5): versions, the host server address, how long files are kept, and the logos with
// previews.
import { api } from '@acc/contract'
import { type Infos, MAX_FILE_RETENTION_DAYS, RETENTION_GRACE_HOURS } from '@acc/contract/infos'
import { Group, NumberInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { version } from '../../../package.json'
import { refresh, useApiQuery } from '../../kit/api/query.ts'
import { showToast } from '../../kit/dialogs/toast.tsx'
import { Fields, FormFrame } from '../../kit/form/PaneForm.tsx'
import { useSharedSave } from '../../kit/form/SaveBar.tsx'
import { useIsEdited, useUnsaved } from '../../kit/form/unsaved.ts'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { Facts, Pane, Section } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { unitSuffix, useTexts } from '../../kit/texts/texts.ts'
import { infosTexts, useLogo } from './infos.ts'
import { LogoField } from './LogoField.tsx'

/** Address, retention and logos are separate calls. One Save sends the changed ones, the logos last. */
function useInfosForm(infos: Infos) {
  const t = useTexts(infosTexts)
  const [isUploading, setUploading] = useState(false)
  const login = useLogo('login', infos.loginPageLogoData)
  const manage = useLogo('manage', infos.managePageLogoData)
  const changed = [login, manage].filter((logo) => logo.isChanged)
  const saveLogos = async () => {
    if (changed.length === 0) return
    setUploading(true)
    const results = []
    for (const logo of changed) results.push(await logo.save())
    const areSaved = results.every((isSaved) => isSaved)
    const refreshed = refresh(api.infos.setLoginPageLogo.changes)
    // Refused logos are unsaved again at once: leaving must ask.
    if (areSaved) await refreshed
    setUploading(false)
    if (areSaved) showToast(t('saved'))
  }
  const host = useApiForm(api.infos.setHostServerAddress, {
    initial: { hostServerAddress: infos.hostServerAddress },
    messages: { hostServerAddress: t('hostFormat') },
  })
  const retention = useApiForm(api.infos.setFileRetention, {
    initial: { fileRetentionDays: infos.fileRetentionDays },
  })
  const undoLogos = () => {
    for (const logo of changed) logo.undo()
  }
  useUnsaved(changed.length > 0, undoLogos, { isSaving: isUploading })
  const saveAll = async () => {
    for (const form of [host, retention]) if (form.isDirty && !(await form.save())) return
    await saveLogos()
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void saveAll()
  }
  const reset = () => {
    host.reset()
    retention.reset()
    undoLogos()
  }
  const isDirty = host.isDirty || retention.isDirty || changed.length > 0
  const isSaving = host.isSaving || retention.isSaving || isUploading
  const whyDisabled = isDirty ? undefined : host.whyDisabled
  const news = host.news.restoredAt === undefined ? retention.news : host.news
  return { host, retention, logos: [login, manage], submit, reset, isDirty, isSaving, whyDisabled, news }
}

function InfosForm({ infos }: { infos: Infos }) {
  const t = useTexts(infosTexts)
  const form = useInfosForm(infos)
  const id = useSharedSave(form)
  return (
    <FormFrame form={form} id={id}>
      <Pane>
        <Section title={t('versions')}>
          <Facts
            rows={[
              [t('backEnd'), infos.serverVersion],
              [t('frontEnd'), version],
            ]}
          />
        </Section>
        <Fields>
          <TextInput
            label={t('host')}
            description={t('hostHint', { HOST: '{{HOST}}' })}
            withAsterisk
            {...form.host.field('hostServerAddress')}
          />
          <NumberInput
            label={t('retention')}
            description={t('retentionHint', { hours: RETENTION_GRACE_HOURS })}
            suffix={unitSuffix(t('days'))}
            {...form.retention.field('fileRetentionDays')}
            max={MAX_FILE_RETENTION_DAYS}
          />
        </Fields>
        <Section title={t('logos')}>
          <Group align="flex-start" gap={16}>
            {form.logos.map((logo) => (
              <LogoField key={logo.place} logo={logo} isBusy={form.isSaving} />
            ))}
          </Group>
        </Section>
      </Pane>
    </FormFrame>
  )
}

/** The stored values, but while something is edited those that the form began with. */
function useBeginning(values: string): string {
  const isEdited = useIsEdited()
  const [begun, setBegun] = useState(values)
  if (!isEdited && begun !== values) setBegun(values)
  return begun
}

export function InfosPanel() {
  const query = useApiQuery(api.infos.find, {})
  const begun = useBeginning(`${query.data?.fileRetentionDays} ${query.data?.hostServerAddress}`)
  return <QueryState of={query}>{(infos) => <InfosForm key={begun} infos={infos} />}</QueryState>
}
