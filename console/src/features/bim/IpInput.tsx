// An IPv4 address: only digits and dots can be typed (spec S2 §5).
import { TextInput } from '@mantine/core'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Bim.module.css'
import { bimTexts, ipCharacters } from './bim.ts'

type IpForm = {
  values: { ip: string }
  set: (name: 'ip', value: string) => void
  field: (name: 'ip') => object
}

export function IpInput({ form, autoFocus = false }: { form: IpForm; autoFocus?: boolean }) {
  const t = useTexts(bimTexts)
  return (
    <TextInput
      label={t('ip')}
      placeholder="192.168.0.10"
      inputMode="decimal"
      withAsterisk
      autoFocus={autoFocus}
      classNames={{ input: css.mono }}
      {...form.field('ip')}
      onChange={(event) => form.set('ip', ipCharacters(event.currentTarget.value))}
    />
  )
}
