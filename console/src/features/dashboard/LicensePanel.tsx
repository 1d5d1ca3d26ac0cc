// How much of the license is used; the numbers open the license and its PCs. For system administrators (spec S2 §2.5, §6).
import { Progress } from '@mantine/core'
import { useViewer } from '../../kit/api/viewer.ts'
import { useOpenScreen } from '../../kit/layout/view.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { Counter } from './Counter.tsx'
import css from './Dashboard.module.css'
import { useLicenseStates } from './dashboard.queries.ts'
import { dashboardTexts } from './dashboard.texts.ts'
import { Panel } from './Panel.tsx'

export function LicensePanel() {
  const t = useTexts(dashboardTexts)
  const { isAdmin } = useViewer()
  const openScreen = useOpenScreen()
  const open = () => openScreen('settings', { menu: 'license' })
  const { useCount, maxCount } = useLicenseStates() ?? {}
  const share = useCount === undefined || maxCount === undefined ? undefined : (100 * useCount) / maxCount
  const tone = share === undefined || share < 90 ? undefined : share < 100 ? 'yellow' : 'red'
  return (
    <Panel
      title={t('license')}
      aside={<span className={css.share}>{share !== undefined && t('share', { percent: Math.round(share) })}</span>}
      refusal={isAdmin ? undefined : t('noPermission')}
    >
      <Progress
        value={Math.min(100, share ?? 0)}
        color={tone}
        aria-label={t('usage', { used: useCount ?? 0, max: maxCount ?? 0 })}
      />
      <div className={css.counts}>
        {(
          [
            [t('used'), useCount],
            [t('licensed'), maxCount],
          ] as const
        ).map(([name, value]) => (
          <button key={name} type="button" className={css.count} title={t('openList', { name })} onClick={open}>
            <span>{name}</span>
            <Counter value={value} />
          </button>
        ))}
      </div>
    </Panel>
  )
}
