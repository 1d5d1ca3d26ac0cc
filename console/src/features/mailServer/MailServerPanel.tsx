// The menu of the mail server (spec S1 §2): its form with the test, or a notice where the operator set a mail service.
// Other tabs show the sent mail and when approvers are reminded.
import { api } from '@acc/contract'
import { Text } from '@mantine/core'
import { z } from 'zod'
import { useApiQuery } from '../../kit/api/query.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { showToast } from '../../kit/dialogs/toast.tsx'
import { FormFrame } from '../../kit/form/PaneForm.tsx'
import { useSharedSave } from '../../kit/form/SaveBar.tsx'
import { Pane } from '../../kit/layout/Page.tsx'
import { PaneTabs } from '../../kit/layout/PaneTabs.tsx'
import { Empty, QueryState } from '../../kit/layout/QueryState.tsx'
import { namesOf, tabsOf } from '../../kit/layout/screen.ts'
import { useView } from '../../kit/layout/view.ts'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { SentMails } from '../mails/exports.ts'
import { OverduePanel } from '../notices/exports.ts'
import { MailServerFields, type StoredServer, useMailServerForm } from './MailServerForm.tsx'
import { MAIL_TABS, mailServerTexts } from './mailServer.ts'

const View = z.object({ tab: z.enum(namesOf(MAIL_TABS)).default('server') })

function ServerForm({ stored }: { stored: StoredServer }) {
  const kit = useTexts(kitTexts)
  const t = useTexts(mailServerTexts)
  const isOutbox = useViewer().configs.usesOutbox === 1
  const form = useMailServerForm(stored, () => showToast(kit('saved')))
  const id = useSharedSave(form)
  return (
    <>
      <form id={id} onSubmit={form.save} />
      <FormFrame form={form.test}>
        <Pane>
          {isOutbox && (
            <Text className="notice" data-tone="warn" mb={12}>
              {t('outbox')}
            </Text>
          )}
          <MailServerFields form={form.test} stored={stored} isBusy={form.isSaving} />
        </Pane>
      </FormFrame>
    </>
  )
}

function Server() {
  const t = useTexts(mailServerTexts)
  const { configs } = useViewer()
  const query = useApiQuery(api.mailServer.find, {})
  if (configs.useKnoxMailServer === 1) return <Empty title={t('external')} hint={t('externalHint')} />
  return (
    <QueryState of={query}>{({ server }) => <ServerForm key={JSON.stringify(server)} stored={server} />}</QueryState>
  )
}

export function MailServerPanel() {
  const t = useTexts(mailServerTexts)
  const [{ tab }, setView] = useView(View)
  return (
    <PaneTabs
      label={t('tabs')}
      tabs={tabsOf(MAIL_TABS, useLanguage())}
      value={tab}
      onChange={(chosen) => setView({ tab: chosen })}
    >
      {tab === 'server' && <Server />}
      {tab === 'sent' && <SentMails />}
      {tab === 'notices' && <OverduePanel />}
    </PaneTabs>
  )
}
