// The version that people download and clients update to.
import type { ClientFile } from '@acc/contract/clientVersions'
import { formatBytes, formatMoment } from '@acc/contract/labels/formats'
import { FileName } from '../../kit/layout/FileName.tsx'
import { Facts } from '../../kit/layout/Page.tsx'
import { Empty, QueryState } from '../../kit/layout/QueryState.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './ClientVersions.module.css'
import { useDeployed } from './clientVersions.queries.ts'
import { clientVersionsTexts } from './clientVersions.texts.ts'

function Version({ client }: { client: ClientFile }) {
  const t = useTexts(clientVersionsTexts)
  return (
    <>
      <p className={css.version}>{client.version}</p>
      <Facts
        rows={[
          [t('file'), <FileName key="file" name={client.fileName} />],
          [t('fileSize'), formatBytes(client.fileSize)],
          [t('uploadedAt'), formatMoment(client.uploadDT)],
          [
            t('sha256'),
            <code key="sha256" className={css.hash}>
              {client.sha256}
            </code>,
          ],
        ]}
      />
    </>
  )
}

export function DeployedClient() {
  const t = useTexts(clientVersionsTexts)
  return (
    <section className={css.deployed} aria-label={t('deployedTitle')}>
      <h2>{t('deployedTitle')}</h2>
      <QueryState of={useDeployed()}>
        {({ client }) =>
          client === null ? <Empty title={t('none')} hint={t('noneHint')} /> : <Version client={client} />
        }
      </QueryState>
    </section>
  )
}
