// The window of every dialog. It closes by Escape, its close button and its own buttons, never by a press outside.
import { Modal, type ModalProps } from '@mantine/core'
import { useTexts } from '../texts/texts.ts'
import { dialogTexts } from './dialogs.texts.ts'
import { useEscape } from './useEscape.ts'

type Props = Omit<ModalProps, 'opened' | 'closeOnEscape' | 'closeOnClickOutside' | 'closeButtonProps'>

/** Rendered while it is open. */
export function DialogWindow({ onClose, ...rest }: Props) {
  const t = useTexts(dialogTexts)
  useEscape(onClose)
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={false}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('close') }}
      {...rest}
    />
  )
}
