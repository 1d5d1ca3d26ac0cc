// The menu bimServers: servers with their state, which follows their reports (spec S2 §2.2).
import { api } from '@acc/contract'
import { BimServerState } from '@acc/contract/bim'
import { IconRefresh } from '@tabler/icons-react'
import { useApiAction } from '../../kit/api/query.ts'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { StateDot } from '../../kit/table/StatusDot.tsx'
import { TwoLines } from '../../kit/table/Table.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Bim.module.css'
import { BimListPane } from './BimListPane.tsx'
import { CreateServer, UpdateServer } from './BimServerForm.tsx'
import { type BimProps, bimTexts, useServers } from './bim.ts'

function SyncButton({ hasServers }: { hasServers: boolean }) {
  const t = useTexts(bimTexts)
  const sync = useApiAction(api.bim.syncServers, { done: t('server.synced') })
  return (
    <ReasonedButton
      variant="default"
      leftSection={<IconRefresh size={14} />}
      isBusy={sync.isRunning}
      whyDisabled={hasServers ? undefined : t('server.nothingToSync')}
      onClick={() => void sync.run({})}
    >
      {t('server.sync')}
    </ReasonedButton>
  )
}

export function BimServers({ view, setView }: BimProps) {
  const t = useTexts(bimTexts)
  const remove = useApiAction(api.bim.removeServers)
  return (
    <QueryState of={useServers()}>
      {({ servers }) => (
        <BimListPane
          view={view}
          setView={setView}
          rows={servers}
          kind="server"
          columns={[
            {
              title: t('server.pcName'),
              sortBy: ({ pcName }) => pcName,
              render: ({ pcName, description }) => <TwoLines above={pcName} below={description} />,
            },
            {
              title: t('ip'),
              width: 136,
              sortBy: ({ ip }) => ip,
              render: ({ ip }) => <span className={css.mono}>{ip}</span>,
            },
            {
              title: t('server.state'),
              width: 96,
              sortBy: ({ isOnline }) => isOnline,
              render: ({ isOnline }) => <StateDot label={BimServerState.labels[isOnline]} />,
            },
          ]}
          nameOf={({ pcName }) => pcName}
          textsOf={({ pcName, ip, description }) => [pcName, ip, description]}
          remove={remove.run}
          action={<SyncButton hasServers={servers.length > 0} />}
          createForm={<CreateServer onCreated={(idx) => setView({ mode: 'update', idx })} />}
          updateForm={(server) => <UpdateServer latest={server} />}
        />
      )}
    </QueryState>
  )
}
