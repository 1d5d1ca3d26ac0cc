// Whether an account ends, and on which day.
import { Switch } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../kit/texts.ts'
import { useViewer } from '../../kit/viewer.ts'
import { expiryBounds, proposedExpiry } from './expiry.ts'
import css from './Users.module.css'
import { usersTexts } from './users.texts.ts'
import '@mantine/dates/styles.layer.css'

type Expiry = { isMortal: 0 | 1; expireDT: string | null }
type Props = {
  value: Expiry
  onChange: (expiry: Expiry) => void
  error?: ReactNode
  wrapperProps?: { 'data-changed': boolean | undefined }
}

export function ExpiryField({ value, onChange, error, wrapperProps }: Props) {
  const t = useTexts(usersTexts)
  const { maxExpireDT } = useViewer().runtime
  const { min, max } = expiryBounds(maxExpireDT)
  const switchTo = (isMortal: 0 | 1) =>
    onChange({ isMortal, expireDT: isMortal === 1 ? proposedExpiry(maxExpireDT) : null })
  return (
    <div className={css.expiry}>
      <Switch
        label={t('mortal')}
        checked={value.isMortal === 1}
        onChange={(event) => switchTo(event.currentTarget.checked ? 1 : 0)}
      />
      {value.isMortal === 1 && (
        <DatePickerInput
          label={t('expires')}
          description={max === undefined ? t('expiryHint', { from: min }) : t('expiryHintMax', { from: min, to: max })}
          valueFormat="YYYY-MM-DD"
          leftSection={<IconCalendar size={14} />}
          minDate={min}
          {...(max === undefined ? {} : { maxDate: max })}
          value={value.expireDT}
          onChange={(expireDT) => onChange({ isMortal: 1, expireDT })}
          error={error}
          {...(wrapperProps ? { wrapperProps } : {})}
        />
      )}
    </div>
  )
}
