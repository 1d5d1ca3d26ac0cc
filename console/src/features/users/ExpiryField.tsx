// Form field: whether an account expires, and on which day.
import { Switch } from '@mantine/core'
import { DateInput } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useViewer } from '../../kit/api/viewer.ts'
import { ownsEscape } from '../../kit/dialogs/useEscape.ts'
import { useCalendarWords } from '../../kit/table/dayRange.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { expiryBounds, expiryFault, proposedExpiry, readDay } from './expiry.ts'
import { usersTexts } from './users.ts'
import '@mantine/dates/styles.layer.css'

type Expiry = { isMortal: 0 | 1; expireDT: string | null }
type Props = {
  value: Expiry
  onChange: (expiry: Expiry) => void
  error?: ReactNode
  wrapperProps?: { 'data-changed': boolean | undefined }
  onBlur?: (event: unknown) => void
}

/** Returns a validator of the day for a form's `check`. The value `before` is always accepted. */
export function useExpiryCheck(before?: Expiry) {
  const t = useTexts(usersTexts)
  const { maxExpireDT } = useViewer().runtime
  return ({ isMortal, expireDT }: { isMortal?: 0 | 1; expireDT?: string | null }): { expireDT?: string } => {
    if (isMortal !== 1 || (before?.isMortal === 1 && before.expireDT === expireDT)) return {}
    if (typeof expireDT !== 'string') return { expireDT: t('expiryMissing') }
    const fault = expiryFault(expireDT, maxExpireDT)
    return fault ? { expireDT: t(fault.key, { day: fault.bound }) } : {}
  }
}

/** A calendar that dims days outside the limits, and a text field, which the form validates. */
function DayField({ value, onChange, error, wrapperProps, onBlur }: Props) {
  const t = useTexts(usersTexts)
  const { maxExpireDT } = useViewer().runtime
  const [isOpen, setOpen] = useState(false)
  const { min, max } = expiryBounds(maxExpireDT)
  return (
    <DateInput
      label={t('expires')}
      description={max === undefined ? t('expiryHint', { from: min }) : t('expiryHintMax', { from: min, to: max })}
      valueFormat="YYYY-MM-DD"
      {...useCalendarWords({ from: value.expireDT, to: value.expireDT })}
      placeholder="YYYY-MM-DD"
      dateParser={readDay}
      leftSection={<IconCalendar size={14} />}
      getDayProps={(day) => ({ disabled: expiryFault(day, maxExpireDT) !== undefined })}
      popoverProps={{ onOpen: () => setOpen(true), onClose: () => setOpen(false) }}
      {...(isOpen ? ownsEscape : {})}
      value={value.expireDT}
      onChange={(expireDT) => onChange({ isMortal: 1, expireDT })}
      error={error}
      onBlur={onBlur}
      wrapperProps={wrapperProps}
    />
  )
}

export function ExpiryField(props: Props) {
  const t = useTexts(usersTexts)
  const { maxExpireDT } = useViewer().runtime
  const { value, onChange } = props
  const switchTo = (isMortal: 0 | 1) =>
    onChange({ isMortal, expireDT: isMortal === 1 ? proposedExpiry(maxExpireDT) : null })
  return (
    <div className="stack">
      <Switch
        label={t('mortal')}
        checked={value.isMortal === 1}
        onChange={(event) => switchTo(event.currentTarget.checked ? 1 : 0)}
      />
      {value.isMortal === 1 && <DayField {...props} />}
    </div>
  )
}
