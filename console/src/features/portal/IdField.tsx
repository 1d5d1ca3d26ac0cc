// The sign-in name, as the pages of the portal ask for it.
import { MAX_LENGTH } from '@acc/contract/core/limits'
import { TextInput } from '@mantine/core'
import type { Ref } from 'react'
import { useTexts } from '../../kit/texts/texts.ts'
import { portalTexts } from './portal.texts.ts'

type Props = {
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  autoFocus: boolean
  ref: Ref<HTMLInputElement>
}

export function IdField({ onChange, ...input }: Props) {
  const t = useTexts(portalTexts)
  return (
    <TextInput
      {...input}
      size="md"
      label={t('id')}
      maxLength={MAX_LENGTH.loginId}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
