// The information menu: versions, the host server address, and the logos with previews (spec S1 §2, §5); and the state of
// the system.
import { api } from '@acc/contract'
import type { Infos } from '@acc/contract/infos'
import { TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { z } from 'zod'
import { refresh } from '../../kit/api/query.ts'
import { CONSOLE_VERSION } from '../../kit/browser/version.ts'
import { showToast } from '../../kit/dialogs/toast.ts'
import { Fields, PaneForm } from '../../kit/form/PaneForm.tsx'
import { useSharedSave } from '../../kit/form/SharedSave.tsx'
import { useIsEdited, useUnsaved } from '../../kit/form/unsaved.ts'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { Facts, Pane, Section } from '../../kit/layout/Page.tsx'
import { PaneTabs } from '../../kit/layout/PaneTabs.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { useView } from '../../kit/layout/view.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { SystemStatusPanel } from '../systemStatus/exports.ts'
import css from './Infos.module.css'
import { useInfos } from './infos.queries.ts'
import { infosTexts } from './infos.texts.ts'
import { LogoField } from './LogoField.tsx'
import { useLogo } from './useLogo.ts'

const View = z.object({ tab: z.enum(['information', 'status']).default('information') })

/** Address and logos are calls of their own; one Save sends what is changed: the address first, then the logos. */
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
    onDone: () => void saveLogos(),
  })
  const undoLogos = () => {
    for (const logo of changed) logo.undo()
  }
  useUnsaved(changed.length > 0, undoLogos, isUploading)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    if (host.isDirty) return host.submit(event)
    event.preventDefault()
    void saveLogos()
  }
  const reset = () => {
    host.reset()
    undoLogos()
  }
  const isDirty = host.isDirty || changed.length > 0
  const isSaving = host.isSaving || isUploading
  const whyDisabled = isDirty ? undefined : host.whyDisabled
  return { host, logos: [login, manage], submit, reset, isDirty, isSaving, whyDisabled }
}

function InfosForm({ infos, whyDisabled }: { infos: Infos; whyDisabled: string | undefined }) {
  const t = useTexts(infosTexts)
  const form = useInfosForm(infos)
  const id = useSharedSave(form, whyDisabled)
  return (
    <PaneForm form={form} id={id}>
      <Pane>
        <Section title={t('versions')}>
          <Facts
            rows={[
              [t('backEnd'), infos.serverVersion],
              [t('frontEnd'), CONSOLE_VERSION],
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
        </Fields>
        <Section title={t('logos')}>
          <div className={css.logos}>
            {form.logos.map((logo) => (
              <LogoField key={logo.place} logo={logo} isBusy={form.isSaving} />
            ))}
          </div>
        </Section>
      </Pane>
    </PaneForm>
  )
}

/** The stored address, but while something is edited the one that the form began with. */
function useBeginning(address: string): string {
  const isEdited = useIsEdited()
  const [begun, setBegun] = useState(address)
  if (!isEdited && begun !== address) setBegun(address)
  return begun
}

function Information() {
  const query = useInfos()
  const begun = useBeginning(query.data?.hostServerAddress ?? '')
  return (
    <QueryState of={query}>
      {(infos, { whyDisabled }) => <InfosForm key={begun} infos={infos} whyDisabled={whyDisabled} />}
    </QueryState>
  )
}

export function InfosPanel() {
  const t = useTexts(infosTexts)
  const [{ tab }, setView] = useView(View)
  return (
    <PaneTabs
      label={t('tabs')}
      tabs={[
        { value: 'information', label: t('information') },
        { value: 'status', label: t('status') },
      ]}
      value={tab}
      onChange={(chosen) => setView({ tab: chosen })}
    >
      {tab === 'information' ? <Information /> : <SystemStatusPanel />}
    </PaneTabs>
  )
}
