// A button that says why it cannot be pressed, and keeps the keyboard focus while it cannot and while it waits for the
// server: a `disabled` button would lose it.
import { Button, type ButtonProps, type FloatingPosition, Loader, Tooltip } from '@mantine/core'
import { type MouseEvent, type ReactNode, useState } from 'react'
import css from './ReasonedButton.module.css'

type Props = Omit<ButtonProps, 'disabled' | 'loading'> & {
  /** Undefined if the button is enabled. */
  whyDisabled?: string
  /** Where the reason is shown; above by default. */
  reasonAt?: FloatingPosition
  /** The action is running; further presses are ignored. */
  isBusy?: boolean
  type?: 'button' | 'submit'
  /** The `id` of the form that it submits, if it is not inside of it. */
  form?: string
  onClick?: (event: MouseEvent) => void
  children: ReactNode
  'aria-label'?: string | undefined
  /** A name for the focus to come back to, where the words of the button change (keepFocus.ts). */
  'data-focus'?: string
  'aria-keyshortcuts'?: string
}

export function ReasonedButton(props: Props) {
  const { whyDisabled, reasonAt, isBusy = false, type = 'button', onClick, children, ...rest } = props
  // The reason would otherwise pop up under the pointer as soon as the press has been carried out.
  const [isPressed, setPressed] = useState(false)
  const isOff = whyDisabled !== undefined
  const press = (event: MouseEvent) => {
    setPressed(!isOff)
    if (isOff || isBusy) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <Tooltip label={whyDisabled} position={reasonAt} disabled={!isOff || isPressed || isBusy}>
      <Button
        type={type}
        data-disabled={(isOff && !isBusy) || undefined}
        data-busy={isBusy || undefined}
        aria-disabled={isOff || isBusy}
        aria-busy={isBusy || undefined}
        onClick={press}
        onMouseLeave={() => setPressed(false)}
        onBlur={() => setPressed(false)}
        {...rest}
      >
        <span className={isBusy ? css.hidden : undefined}>{children}</span>
        {isBusy && <Loader className={css.loader} size={16} color="currentColor" />}
      </Button>
    </Tooltip>
  )
}
