// Dialogs that pick from a list: the choice, Cancel, and the one primary action with the reason why it cannot be
// pressed.
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { DialogWindow } from '../dialogs/DialogWindow.tsx'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import css from './Picker.module.css'
import { ReasonedButton } from './ReasonedButton.tsx'

type FootProps = {
  chosen: ReactNode
  action: string
  whyDisabled: string | undefined
  isRunning?: boolean
  onClose: () => void
  onAction: () => void
}

export function PickerFoot({ chosen, action, whyDisabled, isRunning = false, onClose, onAction }: FootProps) {
  const t = useTexts(kitTexts)
  return (
    <div className={css.foot}>
      <div className={css.chosen} role="status" title={typeof chosen === 'string' ? chosen : undefined}>
        {chosen}
      </div>
      <Button variant="default" onClick={onClose} disabled={isRunning}>
        {t('cancel')}
      </Button>
      <ReasonedButton isBusy={isRunning} whyDisabled={whyDisabled} onClick={onAction}>
        {action}
      </ReasonedButton>
    </div>
  )
}

type Props = FootProps & {
  title: string
  width: number
  search: ReactNode
  /** Pixels of the table. */
  height: number
  children: ReactNode
}

/** A table with checkboxes below its search. */
export function TablePicker({ title, width, search, height, children, ...foot }: Props) {
  return (
    <DialogWindow onClose={() => !foot.isRunning && foot.onClose()} title={title} size={width}>
      <div className={css.search}>{search}</div>
      <div className={css.table} style={{ height }}>
        {children}
      </div>
      <PickerFoot {...foot} />
    </DialogWindow>
  )
}
