// What can be done with a version: deploy, download, delete. The deployed one is not deleted.
import { api } from '@acc/contract'
import type { ClientVersion } from '@acc/contract/clientVersions'
import { Group } from '@mantine/core'
import { IconDownload, IconTrash } from '@tabler/icons-react'
import { refresh, useApiAction } from '../../kit/api/query.ts'
import { useBrowserDownload } from '../../kit/api/useBrowserDownload.ts'
import { confirm, showMessage } from '../../kit/dialogs/dialogs.tsx'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { IconButton } from '../../kit/layout/IconButton.tsx'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { clientVersionsTexts } from './clientVersions.ts'

/** Another administrator was faster. */
function useConflict(title: 'deployTitle' | 'removeTitle') {
  const t = useTexts(clientVersionsTexts)
  const tell = (body: string) => () => {
    void refresh(api.clientVersions.remove.changes)
    void showMessage({ title: t(title), body })
  }
  return { gone: tell(t('gone')), inUse: tell(t('inUse')) }
}

export function Deployment({ version: { version, isDeploy } }: { version: ClientVersion }) {
  const t = useTexts(clientVersionsTexts)
  const { gone } = useConflict('deployTitle')
  const action = useApiAction(api.clientVersions.deploy, {
    done: t('deployed', { version }),
    handles: { NOT_ALLOWED: gone },
  })
  const deploy = async () => {
    const words = { title: t('deployTitle'), body: t('deployBody', { version }), action: t('deploy') }
    if (await confirm(words)) await action.run({ version })
  }
  if (isDeploy === 1) return <StatusDot tone="ok">{t('deploying')}</StatusDot>
  return (
    <ReasonedButton
      variant="default"
      size="compact-sm"
      aria-label={t('deployNamed', { version })}
      isBusy={action.isRunning}
      onClick={() => void deploy()}
    >
      {t('deploy')}
    </ReasonedButton>
  )
}

function Removal({ version }: { version: string }) {
  const t = useTexts(clientVersionsTexts)
  const { gone, inUse } = useConflict('removeTitle')
  const action = useApiAction(api.clientVersions.remove, {
    done: t('removed', { version }),
    handles: { NOT_ALLOWED: gone, REQUEST_STATE: inUse },
  })
  const remove = async () => {
    const words = { title: t('removeTitle'), body: t('removeBody', { version }), action: t('remove'), isDanger: true }
    if (await confirm(words)) await action.run({ version })
  }
  return (
    <IconButton
      label={t('remove')}
      aria-label={t('removeNamed', { version })}
      aria-busy={action.isRunning || undefined}
      onClick={() => void (action.isRunning || remove())}
    >
      <IconTrash size={16} />
    </IconButton>
  )
}

export function VersionActions({ version: { version, fileName, isDeploy } }: { version: ClientVersion }) {
  const t = useTexts(clientVersionsTexts)
  const download = useBrowserDownload(api.clientVersions.download, t('downloadFailed'))
  return (
    <Group component="span" display="inline-flex" gap={4}>
      <IconButton
        label={t('downloadNamed', { version })}
        aria-busy={download.isStarting || undefined}
        onClick={() => void download.start({ version }, fileName)}
      >
        <IconDownload size={16} />
      </IconButton>
      {isDeploy === 0 && <Removal version={version} />}
    </Group>
  )
}
