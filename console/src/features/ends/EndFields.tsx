// The fields of an end, a period, a day, or none with a reason, and their dialog.
import { MAX_END_REASON, type StoredEnd } from '@acc/contract/ends'
import { EndChoice } from '@acc/contract/labels/ends'
import { Text, TextInput } from '@mantine/core'
import { DateInput } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { useState } from 'react'
import { ownsEscape } from '../../kit/dialogs/useEscape.ts'
import { ChoiceField } from '../../kit/form/ChoiceField.tsx'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import type { inputProps } from '../../kit/form/formFields.ts'
import { useRowForm } from '../../kit/form/useRowForm.ts'
import { Hint } from '../../kit/layout/Page.tsx'
import { useCalendarWords } from '../../kit/table/dayRange.ts'
import { useOptions } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { readDay } from '../users/exports.ts'
import {
  chosen,
  type EndValues,
  endBounds,
  endFaults,
  endOf,
  endsTexts,
  newEnd,
  useEndFaultTexts,
  valuesOfEnd,
} from './ends.ts'

import '@mantine/dates/styles.layer.css'

type Props = {
  form: {
    values: EndValues
    set: {
      (name: 'endChoice', choice: EndChoice): void
      (name: 'endDT', day: string | null): void
    }
    field: (name: 'endDT' | 'endReason') => ReturnType<typeof inputProps>
  }
}

function DayField({ form }: Props) {
  const t = useTexts(endsTexts)
  const [isOpen, setOpen] = useState(false)
  const { endDT } = form.values
  const { from, to } = endBounds()
  return (
    <DateInput
      label={t('lastDay')}
      description={t('lastDayHint', { from, to })}
      valueFormat="YYYY-MM-DD"
      placeholder="YYYY-MM-DD"
      required
      {...useCalendarWords({ from: endDT, to: endDT })}
      dateParser={readDay}
      leftSection={<IconCalendar size={14} />}
      getDayProps={(day) => ({ disabled: day < from || day > to })}
      popoverProps={{ onOpen: () => setOpen(true), onClose: () => setOpen(false) }}
      {...(isOpen ? ownsEscape : {})}
      {...form.field('endDT')}
      value={endDT}
      onChange={(day) => form.set('endDT', day)}
    />
  )
}

export function EndFields({ form }: Props) {
  const t = useTexts(endsTexts)
  const { values, set } = form
  const choose = (choice: EndChoice) => {
    const { endDT = null } = chosen(choice, values)
    set('endChoice', choice)
    set('endDT', endDT)
  }
  return (
    <div className="stack">
      <ChoiceField
        size="xs"
        label={t('end')}
        options={useOptions(EndChoice)}
        value={values.endChoice}
        onChange={choose}
      />
      {values.endChoice === EndChoice.NONE ? (
        <TextInput label={t('reason')} maxLength={MAX_END_REASON} required {...form.field('endReason')} />
      ) : values.endChoice === EndChoice.DATE ? (
        <DayField form={form} />
      ) : (
        <Hint>{t('untilHint', { day: values.endDT ?? '' })}</Hint>
      )}
    </div>
  )
}

type DialogProps = {
  title: string
  body?: string
  action?: string
  /** The end to change; without one, the form proposes a new one. */
  stored?: StoredEnd | undefined
  isRunning: boolean
  onApply: (end: StoredEnd) => void
  onClose: () => void
}

/** Sets an end: of a person's own policy, or of memberships. */
export function EndDialog({ title, body, action, stored, isRunning, onApply, onClose }: DialogProps) {
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
