// The license in force and how much of it is used.
import { formatDay, formatMoment } from '@acc/contract/labels/formats'
import { CountType } from '@acc/contract/labels/licenses'
import type { LicenseStatus } from '@acc/contract/licenses'
import { Progress } from '@mantine/core'
import { ShortTable } from '../../kit/table/ShortTable.tsx'
import { formatNumber } from '../../kit/texts/formatNumber.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import css from './Licenses.module.css'
import { licensesTexts } from './licenses.texts.ts'

/** What an administrator should do about the license; the worst first. */
function Advice({ license }: { license: LicenseStatus }) {
  const t = useTexts(licensesTexts)
  const { isExpired, isEvaluation, useCount, maxCount } = license
  if (isExpired === 1) return <p className={css.problem}>{t('expiredHint')}</p>
  if (useCount >= maxCount) return <p className={css.warning}>{t('fullHint')}</p>
  if (isEvaluation === 1) return <p className={css.notice}>{t('evaluationHint', { max: maxCount })}</p>
  return null
}

export function LicenseOverview({ license }: { license: LicenseStatus }) {
  const t = useTexts(licensesTexts)
  const language = useLanguage()
  const { registerDT, countType, useCount, maxCount, licensee, expiry, isExpired } = license
  const share = Math.min(100, (100 * useCount) / maxCount)
  const tone = isExpired === 1 || useCount >= maxCount ? 'red' : share >= 90 ? 'yellow' : undefined
  const columns = [
    { key: 'registered', title: t('registered'), render: () => formatMoment(registerDT) },
    { key: 'licensee', title: t('licensee'), render: () => licensee ?? t('evaluation') },
    { key: 'expiry', title: t('expiry'), render: () => (expiry === null ? t('never') : formatDay(expiry)) },
    { key: 'countType', title: t('countType'), render: () => CountType.labels[countType][language] },
    { key: 'useCount', title: t('useCount'), align: 'right' as const, render: () => formatNumber(useCount) },
    { key: 'maxCount', title: t('maxCount'), align: 'right' as const, render: () => formatNumber(maxCount) },
  ]
  return (
    <>
      <ShortTable label={t('status')} rows={[license]} columns={columns} rowsPerPage={1} />
      <Progress
        className={css.meter}
        value={share}
        color={tone}
        aria-label={t('usage', { used: useCount, max: maxCount })}
      />
      <Advice license={license} />
    </>
  )
}
