// The foot of a picker: the choice, Cancel, and the one primary action with the reason why it cannot be pressed.
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import css from './PickerFoot.module.css'
import { ReasonedButton } from './ReasonedButton.tsx'

type Props = {
  chosen: ReactNode
  action: string
  whyDisabled: string | undefined
  isRunning: boolean
  onClose: () => void
  onAction: () => void
}

export function PickerFoot({ chosen, action, whyDisabled, isRunning, onClose, onAction }: Props) {
  const t = useTexts(kitTexts)
  return (
    <div className={css.foot}>
      <div className={css.chosen} title={typeof chosen === 'string' ? chosen : undefined}>
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
