// A field whose few values are side by side, such as those of an enumeration.
import { Input, type InputWrapperProps, SegmentedControl, type SegmentedControlProps } from '@mantine/core'

type Props<V extends number> = Pick<InputWrapperProps, 'className' | 'error'> & {
  label: string
  options: readonly { value: V; label: string }[]
  value: V
  onChange: (value: V) => void
  size?: SegmentedControlProps['size']
  isReadOnly?: boolean
  'data-changed'?: true | undefined
}

export function ChoiceField<V extends number>(props: Props<V>) {
  const { label, options, value, onChange, size, isReadOnly = false, ...wrapper } = props
  return (
    <Input.Wrapper label={label} labelElement="div" {...wrapper}>
      <SegmentedControl
        fullWidth
        size={size}
        aria-label={label}
        readOnly={isReadOnly}
        data={[...options]}
        value={value}
        onChange={onChange}
      />
    </Input.Wrapper>
  )
}
