// One value of a policy: its name, its input, and how it compares with the policy above. Read-only: a term and its
// definition, inside a list of these.
import { NumberInput, Select } from '@mantine/core'
import { type ReactNode, use, useEffect, useRef } from 'react'
import { unitSuffix, useTexts } from '../../kit/texts/texts.ts'
import css from './Policies.module.css'
import { policiesTexts } from './policies.ts'
import { AMOUNTS, type PolicyField } from './policyFields.ts'
import { usePolicyWords } from './policyWords.ts'
import { AimContext, Since } from './Why.tsx'

/** Props of a form field. */
type Input = {
  value?: unknown
  error?: ReactNode
  wrapperProps: { 'data-changed': boolean | undefined }
  onBlur: (event: unknown) => void
}
type Props = {
  field: PolicyField
  value: number
  /** The value of the policy above and its owner's name; null if there is no policy above. */
  above: { name: string; value: number } | null
  /** Absent if the value is read-only. */
  input?: Input
  onChange?: (value: number) => void
  /** Whether the value has no effect because the setting that it belongs to is off. */
  isIdle: boolean
}

/** Shows the value of the policy above, if it differs. Screen readers get it as the description of the field. */
function Origin({ field, value, above }: Pick<Props, 'field' | 'value' | 'above'>) {
  const t = useTexts(policiesTexts)
  const { valueText } = usePolicyWords()
  if (above === null || value === above.value) return null
  return (
    <span className={css.origin} aria-hidden>
      {t('aboveHas', { name: above.name, value: valueText(field, above.value) })}
    </span>
  )
}

/** Returns the comparison with the value above in words. */
function useComparison() {
  const t = useTexts(policiesTexts)
  const { valueText } = usePolicyWords()
  return ({ field, value, above }: Props) => {
    if (above === null) return undefined
    const { name } = above
    return value === above.value ? t('same', { name }) : t('aboveHas', { name, value: valueText(field, above.value) })
  }
}

function Control(props: Props & Required<Pick<Props, 'input' | 'onChange'>>) {
  const { field, value, input, onChange, isIdle } = props
  const { fieldText, valueText, optionsOf, unitOf } = usePolicyWords()
  const description = useComparison()(props)
  const amount = AMOUNTS[field]
  // Without a number there is no limit.
  const isUnlimited = amount?.min === 0 && value === 0
  if (amount)
    return (
      <NumberInput
        aria-label={fieldText(field)}
        aria-description={description}
        min={amount.min}
        max={amount.max}
        clampBehavior="none"
        thousandSeparator=","
        suffix={unitSuffix(unitOf(field))}
        disabled={isIdle}
        placeholder={amount.min === 0 ? valueText(field, 0) : undefined}
        value={isUnlimited ? '' : value}
        error={input.error}
        wrapperProps={input.wrapperProps}
        onBlur={input.onBlur}
        onChange={(next) => onChange(Number(next))}
      />
    )
  return (
    <Select
      aria-label={fieldText(field)}
      aria-description={description}
      data={optionsOf(field)}
      value={String(value)}
      error={input.error}
      onBlur={input.onBlur}
      onChange={(next) => next !== null && onChange(Number(next))}
    />
  )
}

export function PolicyRow(props: Props) {
  const { field, value, above, input, onChange, isIdle } = props
  const { fieldText, valueText } = usePolicyWords()
  const isAimed = use(AimContext) === field
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isAimed) (row.current?.querySelector('input') ?? row.current)?.focus()
  }, [isAimed])
  return (
    <div
      ref={row}
      className={css.row}
      tabIndex={isAimed ? -1 : undefined}
      data-aimed={isAimed || undefined}
      data-differs={(above !== null && value !== above.value) || undefined}
      data-changed={input?.wrapperProps['data-changed']}
      data-part={AMOUNTS[field] ? true : undefined}
      data-idle={isIdle || undefined}
    >
      {input && onChange ? (
        <>
          <span className={css.field}>{fieldText(field)}</span>
          <Control {...props} input={input} onChange={onChange} />
          <Origin field={field} value={value} above={above} />
          <Since of={field} />
        </>
      ) : (
        <>
          <dt className={css.field}>{fieldText(field)}</dt>
          <dd className={css.value}>{valueText(field, value)}</dd>
          <Since of={field} as="dd" />
        </>
      )}
    </div>
  )
}
