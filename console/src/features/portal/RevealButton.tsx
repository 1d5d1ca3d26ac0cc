// The button in a masked field that shows what was typed.
import { UnstyledButton } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import css from './Portal.module.css'

type Props = { label: string; isShown: boolean; onChange: (isShown: boolean) => void }

export function RevealButton({ label, isShown, onChange }: Props) {
  return (
    <UnstyledButton className={css.eye} aria-label={label} aria-pressed={isShown} onClick={() => onChange(!isShown)}>
      {isShown ? <IconEyeOff size={16} /> : <IconEye size={16} />}
    </UnstyledButton>
  )
}
