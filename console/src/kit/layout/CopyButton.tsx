// Copies a text and confirms it for 3 seconds (spec S1 §4).
import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'

export function CopyButton({ value }: { value: string }) {
  const t = useTexts(kitTexts)
  const { copied, copy } = useClipboard({ timeout: 3000 })
  const label = copied ? t('copied') : t('copy')
  return (
    <Tooltip label={label} {...(copied ? { opened: true } : {})}>
      <ActionIcon size={22} aria-label={label} onClick={() => copy(value)} color={copied ? 'green' : 'gray'}>
        {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      </ActionIcon>
    </Tooltip>
  )
}
