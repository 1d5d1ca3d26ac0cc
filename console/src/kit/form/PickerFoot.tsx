// The foot of a picker: what is chosen, Cancel, and the one primary action with the reason why it cannot be pressed.
import { Button, Tooltip } from '@mantine/core'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import css from './PickerFoot.module.css'

type Props = {
  chosen: string
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
      <span className={css.chosen} title={chosen}>
        {chosen}
      </span>
      <Button variant="default" onClick={onClose} disabled={isRunning}>
        {t('cancel')}
      </Button>
      <Tooltip label={whyDisabled} disabled={whyDisabled === undefined}>
        <Button
          loading={isRunning}
          data-disabled={whyDisabled !== undefined || undefined}
          aria-disabled={whyDisabled !== undefined}
          onClick={() => whyDisabled === undefined && onAction()}
        >
          {action}
        </Button>
      </Tooltip>
    </div>
  )
}
