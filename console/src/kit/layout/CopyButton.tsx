// Copies a text and confirms it for 3 seconds (spec S1 §4).
import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy, IconLink } from '@tabler/icons-react'
import { use } from 'react'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import { ScreenContext } from './screen.ts'

type Props = {
  value: string
  /** Names the copied text, where several such buttons are next to each other. */
  label?: string
  icon?: typeof IconCopy
}

export function CopyButton({ value, label, icon: Icon = IconCopy }: Props) {
  const t = useTexts(kitTexts)
  const { copied, copy } = useClipboard({ timeout: 3000 })
  const shown = copied ? t('copied') : (label ?? t('copy'))
  return (
    <Tooltip label={shown} {...(copied ? { opened: true } : {})}>
      <ActionIcon size={22} aria-label={shown} onClick={() => copy(value)} color={copied ? 'green' : 'gray'}>
        {copied ? <IconCheck size={14} /> : <Icon size={14} />}
      </ActionIcon>
    </Tooltip>
  )
}

/** Copies a link that opens a record of the screen after the sign-in; `place` where it is a part of the screen. */
export function CopyLink({ idx, place }: { idx: number; place?: string }) {
  const t = useTexts(kitTexts)
  const screen = use(ScreenContext)
  const link = `${location.origin}${location.pathname}?go=${place ?? screen?.name}/${idx}`
  return <CopyButton value={link} label={t('copyLink')} icon={IconLink} />
}
