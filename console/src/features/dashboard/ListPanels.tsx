// Panels that rank: the groups with most sign-ins or requests, and the client versions in use.
import { MAX_COMPARED_ROWS, TOP_GROUP_KINDS, type TopGroupKind } from '@acc/contract/dashboard'
import { Transfer } from '@acc/contract/labels/requests'
import { Badge, SegmentedControl } from '@mantine/core'
import type { ReactNode } from 'react'
import { useCanOpen, useOpenScreen } from '../../kit/layout/view.ts'
import { formatNumber, useLanguage, useTexts } from '../../kit/texts/texts.ts'
import css from './Dashboard.module.css'
import {
  type DashboardProps,
  dashboardTexts,
  daysOf,
  type FigureProps,
  useTopGroups,
  useUsedVersions,
} from './dashboard.ts'
import { Panel } from './Panel.tsx'

const percentOf = (count: number, total: number) => (total === 0 ? 0 : Math.round((100 * count) / total))

type RankProps = {
  name: ReactNode
  count: number
  total: number
  /** What the row says of itself, where it opens something. */
  words?: string
  onOpen?: (() => void) | undefined
}

/** A row with its share of the total as a bar. */
function Rank({ name, count, total, words, onOpen }: RankProps) {
  const percent = percentOf(count, total)
  const content = (
    <>
      <span className={css.rankName}>{name}</span>
      <span className={css.rankCount}>{formatNumber(count)}</span>
      <span className={css.rankShare}>{percent}%</span>
      <span className={css.rankBar} aria-hidden>
        <span style={{ width: `${percent}%` }} />
      </span>
    </>
  )
  return (
    <li>
      {onOpen ? (
        <button type="button" className={css.rank} aria-label={words} onClick={onOpen}>
          {content}
        </button>
      ) : (
        <div className={css.rank}>{content}</div>
      )}
    </li>
  )
}

const DIRECTIONS: Partial<Record<TopGroupKind, Transfer>> = { fileExport: Transfer.EXPORT, fileImport: Transfer.IMPORT }

export function TopGroupsPanel({ setView, ...props }: FigureProps & DashboardProps) {
  const t = useTexts(dashboardTexts)
  const language = useLanguage()
  const [canOpen, openScreen] = [useCanOpen(), useOpenScreen()]
  const { kind } = props.view
  const { groups, totalCount = 0 } = useTopGroups(props) ?? {}
  const nameOf = (value: TopGroupKind) => {
    const direction = DIRECTIONS[value]
    return direction === undefined ? t('clientLogin') : Transfer.labels[direction][language]
  }
  const open = (groupIdx: number) =>
    openScreen('history', { menu: kind, groups: [groupIdx], ...daysOf(props.view, props.today) })
  return (
    <Panel
      title={t('top')}
      aside={
        <SegmentedControl
          size="xs"
          aria-label={t('topKind')}
          data={TOP_GROUP_KINDS.map((value) => ({ value, label: nameOf(value) }))}
          value={kind}
          onChange={(value) => setView({ kind: value }, { replace: true })}
        />
      }
    >
      {groups?.length === 0 && <p className="quiet">{t('topNone')}</p>}
      <ol className={css.ranks}>
        {groups?.map(({ groupIdx, groupName: name, count }) => (
          <Rank
            key={groupIdx}
            name={name}
            count={count}
            total={totalCount}
            words={t('topCount', { name, count, percent: percentOf(count, totalCount) })}
            onOpen={canOpen('history') ? () => open(groupIdx) : undefined}
          />
        ))}
      </ol>
      {totalCount === MAX_COMPARED_ROWS && <p className="quiet">{t('topLimit', { count: MAX_COMPARED_ROWS })}</p>}
    </Panel>
  )
}

/** The versions on PCs of the last 30 days; the strong number is how many of them run the deployed one. */
export function VersionsPanel(props: FigureProps) {
  const t = useTexts(dashboardTexts)
  const { versions, totalCount = 0, deployed } = useUsedVersions(props) ?? {}
  const others = totalCount - (versions ?? []).reduce((sum, { count }) => sum + count, 0)
  const share = deployed && totalCount > 0 ? `${percentOf(deployed.count, totalCount)}%` : undefined
  return (
    <Panel title={t('versions')} aside={share && <span className={css.strong}>{share}</span>}>
      {versions && (
        <p className={css.remark}>
          <span>{totalCount === 0 ? t('noPcs') : t('pcs', { count: totalCount })}</span>
          <span>{deployed ? share && t('deployedShare', { version: deployed.version }) : t('notDeployed')}</span>
        </p>
      )}
      <ol className={css.ranks}>
        {versions?.map(({ version, count }) => {
          const name = (
            <>
              {version}
              {version === deployed?.version && (
                <Badge size="sm" variant="light">
                  {t('deployed')}
                </Badge>
              )}
            </>
          )
          return <Rank key={version} name={name} count={count} total={totalCount} />
        })}
        {others > 0 && <Rank name={t('otherVersions')} count={others} total={totalCount} />}
      </ol>
    </Panel>
  )
}
