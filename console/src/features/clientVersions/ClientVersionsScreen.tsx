// Client management (spec S2 §2.4): upload, the deployed version, and the list of all versions.
import { api } from '@acc/contract'
import type { ClientFile } from '@acc/contract/clientVersions'
import { formatBytes, formatMoment } from '@acc/contract/labels/formats'
import { Text } from '@mantine/core'
import { z } from 'zod'
import { useApiQuery } from '../../kit/api/query.ts'
import { FileName } from '../../kit/layout/FileName.tsx'
import { Facts, Page, PageBody, PageHeader } from '../../kit/layout/Page.tsx'
import { Empty, QueryState } from '../../kit/layout/QueryState.tsx'
import { useView } from '../../kit/layout/view.ts'
import { FilterBar, SearchBox } from '../../kit/table/FilterBar.tsx'
import { type Column, PagedTable } from '../../kit/table/PagedTable.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './ClientVersions.module.css'
import { clientVersionsTexts } from './clientVersions.ts'
import { UploadBox } from './UploadBox.tsx'
import { Deployment, VersionActions } from './VersionActions.tsx'

function Version({ client }: { client: ClientFile }) {
  const t = useTexts(clientVersionsTexts)
  return (
    <>
      <Text fz={22} fw={600} mb={10}>
        {client.version}
      </Text>
      <Facts
        rows={[
          [t('file'), <FileName key="file" name={client.fileName} />],
          [t('fileSize'), formatBytes(client.fileSize)],
          [t('uploadedAt'), formatMoment(client.uploadDT)],
          [
            t('sha256'),
            <Text key="sha256" component="code" size="xs" ff="monospace">
              {client.sha256}
            </Text>,
          ],
        ]}
      />
    </>
  )
}

/** The version that people download and clients update to. */
function DeployedClient() {
  const t = useTexts(clientVersionsTexts)
  return (
    <section aria-label={t('deployedTitle')}>
      <h2>{t('deployedTitle')}</h2>
      <QueryState of={useApiQuery(api.clientVersions.findDeployed, {})}>
        {({ client }) =>
          client === null ? <Empty title={t('none')} hint={t('noneHint')} /> : <Version client={client} />
        }
      </QueryState>
    </section>
  )
}

const View = z.object({ keyword: z.string().default('') })

type Versions = typeof api.clientVersions.search
const columnsOf = (actions: string): Column<Versions>[] => [
  { key: 'version', width: 150 },
  { key: 'fileName', width: 180, render: ({ fileName }) => <FileName name={fileName} /> },
  { key: 'fileSize', width: 92, align: 'right' },
  { key: 'uploadDT', width: 158 },
  { key: 'isDeploy', width: 106, render: (version) => <Deployment version={version} /> },
  { key: 'actions', title: actions, width: 90, render: (version) => <VersionActions version={version} /> },
]

function VersionList() {
  const t = useTexts(clientVersionsTexts)
  const [{ keyword }, setView] = useView(View)
  return (
    <>
      <FilterBar>
        <SearchBox
          label={t('search')}
          value={keyword}
          onChange={(text) => setView({ keyword: text }, { replace: true })}
        />
      </FilterBar>
      <PagedTable
        route={api.clientVersions.search}
        filter={{ keyword: keyword || undefined }}
        columns={columnsOf(t('actions'))}
        label={t('list')}
        empty={
          keyword === ''
            ? { title: t('empty'), hint: t('emptyHint') }
            : { title: t('emptyFiltered'), onClear: () => setView({ keyword: '' }, { replace: true }) }
        }
        csvName="clientVersions"
      />
    </>
  )
}

export function ClientVersionsScreen() {
  const configs = useApiQuery(api.configs.find, {})
  return (
    <Page>
      <PageHeader />
      <PageBody>
        <div className="fill scrolls">
          <div className={css.top}>
            <QueryState of={configs}>
              {({ allowExtensionsClient }) => <UploadBox extensions={allowExtensionsClient} />}
            </QueryState>
            <DeployedClient />
          </div>
          <div className={css.list}>
            <VersionList />
          </div>
        </div>
      </PageBody>
    </Page>
  )
}
