// Acting on several requests: the actions of the list's edit mode, their dialog, and the notice about requests that
// were left out.
import type { ListedFileEximport } from '@acc/contract/requests'
import { Group, Textarea } from '@mantine/core'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { type EditMode, EditModeAction, EditModeSwitch } from '../../kit/form/editMode.tsx'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { guarded } from '../../kit/form/unsaved.ts'
import type { ApiForm } from '../../kit/form/useApiForm.ts'
import { Hint } from '../../kit/layout/Page.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { approvalsTexts } from './approvals.ts'

export type Mode = { mode: EditMode<ListedFileEximport> }

/** Numbers that the notice about requests that were left out names. */
const NAMED = 10

/** Tells which requests were left out, by texts with their number and the first ones. */
export function noticeSkipped(skipped: readonly number[], title: string, bodyOf: (idxes: string) => string): void {
  const idxes = skipped.slice(0, NAMED).map((idx) => `#${idx}`)
  if (skipped.length > 0) void showMessage({ title, body: bodyOf(idxes.join(', ')) })
}

type Dialog = Omit<ComponentProps<typeof FormDialog>, 'form' | 'children'> & {
  form: ComponentProps<typeof FormDialog>['form'] & Pick<ApiForm<{ purpose: string }>, 'field'>
  /** Whose requests these are. */
  people: string
  hint: string
  isRequired?: boolean
}

/** The dialog of an action, with one reason for all. */
export function ManyDialog({ form, people, hint, isRequired = false, ...dialog }: Dialog) {
  const t = useTexts(approvalsTexts)
  return (
    <FormDialog form={form} {...dialog} isNew>
      <Hint>{people}</Hint>
      <Textarea
        label={t('reason')}
        description={hint}
        withAsterisk={isRequired}
        data-autofocus
        autosize
        minRows={2}
        maxRows={6}
        {...form.field('purpose')}
      />
    </FormDialog>
  )
}

type Props = Mode & {
  label: string
  isDanger?: boolean
  isEmpty: boolean
  whyDisabled: string | undefined
  /** The dialog that the action opens. */
  dialogOf: (close: () => void) => ReactNode
}

/** The actions of the edit mode, in the head of the screen. */
export function ManyActions({ mode, label, isDanger = false, isEmpty, whyDisabled, dialogOf }: Props) {
  const t = useTexts(approvalsTexts)
  const [isOpen, setOpen] = useState(false)
  return (
    <Group gap={8} justify="flex-end" c="var(--ink-2)" fz="var(--fs-s)">
      {mode.isOn && <span role="status">{t('many.chosen', { count: mode.checked.length })}</span>}
      <EditModeAction
        mode={mode}
        label={label}
        isDanger={isDanger}
        whyDisabled={whyDisabled}
        onClick={guarded(() => setOpen(true))}
      />
      <EditModeSwitch mode={mode} label={t('many.choose')} isEmpty={isEmpty} />
      {isOpen && dialogOf(() => setOpen(false))}
    </Group>
  )
}
