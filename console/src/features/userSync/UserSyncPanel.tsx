// The menu of the synchronization of users: state and form, and in another tab the runs.
import { SyncKind } from '@acc/contract/labels/userImports'
import { Box, Button } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'
import { Page, PageBody } from '../../kit/layout/Page.tsx'
import { PaneTabs } from '../../kit/layout/PaneTabs.tsx'
import { Empty, QueryState } from '../../kit/layout/QueryState.tsx'
import { namesOf, tabsOf } from '../../kit/layout/screen.ts'
import { useView } from '../../kit/layout/view.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { RunTable } from '../userImports/exports.ts'
import { SyncForm } from './SyncForm.tsx'
import { SYNC_TABS, sourceOf, useOpenRun, userSyncTexts, useSync } from './userSync.ts'

const View = z.object({ tab: z.enum(namesOf(SYNC_TABS)).default('settings') })

function Runs({ onSetUp }: { onSetUp: () => void }) {
  const t = useTexts(userSyncTexts)
  const open = useOpenRun()
  return (
    <QueryState of={useSync()}>
      {({ sync }) =>
        sync === null || sync.kind === SyncKind.NONE ? (
          <Empty title={t('none')} hint={t('noneHint')}>
            <Button variant="default" onClick={onSetUp}>
              {t('setUp')}
            </Button>
          </Empty>
        ) : (
          <Page>
            <PageBody>
              <RunTable filter={{ source: sourceOf(sync.kind) }} onOpen={open} />
            </PageBody>
          </Page>
        )
      }
    </QueryState>
  )
}

function Settings() {
  // A saved form begins anew, without the typed password.
  const [saves, setSaves] = useState(0)
  return (
    <QueryState of={useSync()}>
      {(state, { whyDisabled }) => (
        <SyncForm
          key={`${saves} ${JSON.stringify(state.sync)}`}
          state={state}
          whyDisabled={whyDisabled}
          onSaved={() => setSaves((count) => count + 1)}
        />
      )}
    </QueryState>
  )
}

export function UserSyncPanel() {
  const t = useTexts(userSyncTexts)
  const [{ tab }, setView] = useView(View)
  return (
    <PaneTabs
      label={t('tabs')}
      tabs={tabsOf(SYNC_TABS, useLanguage())}
      value={tab}
      onChange={(chosen) => setView({ tab: chosen })}
    >
      {tab === 'settings' ? (
        <Settings />
      ) : (
        <Box className="fill">
          <Runs onSetUp={() => setView({ tab: 'settings' })} />
        </Box>
      )}
    </PaneTabs>
  )
}
