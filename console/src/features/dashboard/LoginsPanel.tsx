// Sign-ins of desktop clients by local hour; a bar opens the sign-in history of its hour (spec S2 §2.5, §9).
import { api } from '@acc/contract'
import { formatTimeOfDay } from '@acc/contract/labels/formats'
import { useViewer } from '../../kit/api/viewer.ts'
import { useCanOpen, useOpenScreen } from '../../kit/layout/view.ts'
import { formatNumber } from '../../kit/texts/formatNumber.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { BarChart } from './BarChart.tsx'
import { ChartPanel } from './ChartPanel.tsx'
import { ticksOf } from './chartScale.ts'
import { dashboardTexts, type FigureProps, useHourlyLogins } from './dashboard.ts'
import { daysOf } from './dashboardView.ts'

const STEP = 10
const HOUR = 60

export function LoginsPanel(props: FigureProps) {
  const t = useTexts(dashboardTexts)
  const { can } = useViewer()
  const [canOpen, openScreen] = [useCanOpen(), useOpenScreen()]
  const logins = useHourlyLogins(props)
  const { counts = [], minute = 0 } = logins ?? {}
  const bars = counts.map((value, hour) => {
    const start = hour * HOUR + minute
    const span = t('hour', { from: formatTimeOfDay(start), to: formatTimeOfDay(start + HOUR) })
    return {
      start,
      key: String(hour),
      tick: hour % 3 === 0 ? String(hour) : '',
      value,
      span,
      words: `${span}: ${t('loginCount', { count: value })}`,
    }
  })
  const { groups, range } = props.view
  const open = ({ start }: { start: number }) =>
    openScreen('history', { menu: 'clientLogin', groups, hour: start, ...daysOf(range, props.today) })
  const total = counts.reduce((sum, count) => sum + count, 0)
  return (
    <ChartPanel
      title={t('logins')}
      refusal={can(api.dashboard.findHourlyUserLogins.access) ? undefined : t('noLog')}
      aside={logins && <span className="quiet">{t('total', { count: total })}</span>}
      table={
        logins && {
          heads: [t('hourLabel'), t('loginsLabel')],
          rows: bars.map(({ span, value }) => [span, formatNumber(value)]),
        }
      }
    >
      <BarChart
        label={t('logins')}
        hint={t('keys')}
        bars={bars}
        ticks={ticksOf(Math.max(0, ...counts), STEP)}
        onOpen={canOpen('history') ? open : undefined}
      />
    </ChartPanel>
  )
}
