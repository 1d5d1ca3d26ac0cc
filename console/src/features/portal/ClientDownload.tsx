// The desktop client on the download page (spec S1 §2): the deployed version with its size, and for which Windows it is.
import type { ClientFile } from '@acc/contract/clientVersions'
import { formatBytes } from '@acc/contract/labels/formats'
import { Button, Loader } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../kit/api/call.ts'
import { queryClient } from '../../kit/api/query.ts'
import { useBrowserDownload } from '../../kit/api/useBrowserDownload.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { downloadTexts } from './download.texts.ts'
import css from './Portal.module.css'
import { downloadDeployed, findDeployed } from './portal.calls.ts'

function Client({ client: { version, fileName, fileSize } }: { client: ClientFile }) {
  const t = useTexts(downloadTexts)
  const { isStarting, start } = useBrowserDownload(downloadDeployed, t('downloadFailed'))
  return (
    <>
      <p>{t('client', { version, size: formatBytes(fileSize) })}</p>
      <Button
        mt={8}
        leftSection={isStarting ? <Loader size={16} color="currentColor" /> : <IconDownload size={16} />}
        aria-busy={isStarting || undefined}
        onClick={() => void start({}, fileName)}
      >
        {t('download')}
      </Button>
    </>
  )
}

export function ClientDownload({ name }: { name: string }) {
  const t = useTexts(downloadTexts)
  const { data, isError, refetch } = useQuery(
    { queryKey: [findDeployed.path], queryFn: () => call(findDeployed, {}), retry: false },
    queryClient,
  )
  return (
    <section className={css.part}>
      <h2>{name}</h2>
      <p className={css.note}>{t('systems')}</p>
      {data?.client && <Client client={data.client} />}
      {data?.client === null && <p>{t('noClient')}</p>}
      {isError && (
        <Button mt={8} variant="default" onClick={() => void refetch()}>
          {t('retry')}
        </Button>
      )}
    </section>
  )
}
