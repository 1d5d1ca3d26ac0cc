// A text that a click copies, with a confirmation for 3 seconds (spec S1 §2, §4).
import { UnstyledButton } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import css from './Portal.module.css'

type Props = {
  value: string
  /** How the value is written on the page. */
  shown?: string
  label: string
  hint: string
  done: string
}

export function CopyText({ value, shown = value, label, hint, done }: Props) {
  const { copied, copy } = useClipboard({ timeout: 3000 })
  return (
    <UnstyledButton className={css.copy} aria-label={label} onClick={() => copy(value)}>
      <small role="status">{copied ? done : hint}</small>
      <b>{shown}</b>
      {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
    </UnstyledButton>
  )
}
