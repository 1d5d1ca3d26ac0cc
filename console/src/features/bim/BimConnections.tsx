// The menu bimConnections: who is connected now, as the servers report it (spec S2 §2.2). Read-only.
import type { BimConnection } from '@acc/contract/bim'
import { formatMoment } from '@acc/contract/labels/formats'
import { Hint } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { EditableList, type ListColumn } from '../../kit/table/EditableList.tsx'
import { SearchBox } from '../../kit/table/FilterBar.tsx'
import { TwoLines } from '../../kit/table/Table.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Bim.module.css'
import { type BimProps, bimTexts, found, useConnections } from './bim.ts'

const ROWS = 15

const textsOf = ({ userId, userName, userEmail, groupName, ip, serverName }: BimConnection) => [
  userId,
  userName,
  userEmail,
  groupName,
  ip,
  serverName,
]

type Props = { connections: readonly BimConnection[]; totalCount: number; search: string }

function Connections({ connections, totalCount, search }: Props) {
  const t = useTexts(bimTexts)
  const columns: ListColumn<BimConnection>[] = [
    {
      title: t('connection.user'),
      width: 190,
      sortBy: ({ userName, userId }) => `${userName} ${userId}`,
      render: ({ userName, userId }) => (
        <TwoLines above={userName || <em className="quiet">{t('connection.unknown')}</em>} below={userId} />
      ),
    },
    {
      title: t('target.groupAndEmail'),
      sortBy: ({ groupName }) => groupName,
      render: ({ groupName, userEmail }) => <TwoLines above={groupName} below={userEmail} />,
    },
    {
      title: t('ip'),
      width: 150,
      sortBy: ({ ip }) => ip,
      render: ({ ip }) => <span className={css.mono}>{ip}</span>,
    },
    {
      title: t('connection.server'),
      width: 160,
      sortBy: ({ serverName }) => serverName,
      render: ({ serverName }) => serverName,
    },
    {
      title: t('connection.since'),
      width: 160,
      sortBy: ({ connectDT }) => connectDT,
      render: ({ connectDT }) => formatMoment(connectDT),
    },
  ]
  return (
    <>
      <EditableList
        title={t('connection.title')}
        items={found(connections, search, textsOf)}
        nameOf={({ userId }) => userId}
        columns={columns}
        empty={t(search === '' ? 'connection.none' : 'noMatch')}
        rowsPerPage={ROWS}
      />
      {totalCount > connections.length && (
        <Hint>{t('connection.newest', { shown: connections.length, total: totalCount })}</Hint>
      )}
    </>
  )
}

export function BimConnections({ view: { search }, setView }: BimProps) {
  const t = useTexts(bimTexts)
  return (
    <div className="fill">
      <div className={css.search}>
        <SearchBox
          label={t('connection.search')}
          value={search}
          onChange={(text) => setView({ search: text }, { replace: true })}
        />
        <span className="quiet">{t('connection.live')}</span>
      </div>
      <div className={css.scroll}>
        <QueryState of={useConnections()}>{(data) => <Connections {...data} search={search} />}</QueryState>
      </div>
    </div>
  )
}
