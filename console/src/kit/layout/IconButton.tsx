// A button with an icon, which its tooltip names.
import { ActionIcon, type ActionIconProps, type FloatingPosition, Tooltip } from '@mantine/core'
import type { ComponentProps } from 'react'

type Props = ActionIconProps &
  Omit<ComponentProps<'button'>, keyof ActionIconProps> & {
    label: string
    /** Where the tooltip is; above by default. */
    side?: FloatingPosition
  }

export function IconButton({ label, side, ...rest }: Props) {
  return (
    <Tooltip label={label} position={side}>
      <ActionIcon aria-label={label} {...rest} />
    </Tooltip>
  )
}
