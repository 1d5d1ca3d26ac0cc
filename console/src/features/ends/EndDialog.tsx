// A dialog that sets an end: of a person's own policy, or of memberships.
import type { StoredEnd } from '@acc/contract/ends'
import { Text } from '@mantine/core'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { useRowForm } from '../../kit/form/useRowForm.ts'
import { EndFields } from './EndFields.tsx'
import { endFaults, endOf, newEnd, useEndFaultTexts, valuesOfEnd } from './ends.ts'

type Props = {
  title: string
  body?: string
  action?: string
  /** The end to change; without one, the form proposes a new one. */
  stored?: StoredEnd | undefined
  isRunning: boolean
  onApply: (end: StoredEnd) => void
  onClose: () => void
}

export function EndDialog({ title, body, action, stored, isRunning, onApply, onClose }: Props) {
  const textsOf = useEndFaultTexts()
  const form = useRowForm({
    initial: stored === undefined ? newEnd() : valuesOfEnd(stored),
    isNew: stored === undefined,
    check: (values) => textsOf(endFaults(values, stored)),
    onApply: (values) => onApply(endOf(values, stored)),
  })
  return (
    <FormDialog
      title={title}
      {...(action && { action })}
      form={{ ...form, isSaving: isRunning }}
      isNew={stored === undefined}
      onClose={onClose}
    >
      {body && <Text size="sm">{body}</Text>}
      <EndFields form={form} />
    </FormDialog>
  )
}
