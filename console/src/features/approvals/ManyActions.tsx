// Acting on several requests in the edit mode of the list: rejecting those that wait for the viewer with one reason,
// and confirming urgent exports of one person.
import { api } from '@acc/contract'
import type { Transfer } from '@acc/contract/labels/requests'
import { MAX_REJECTED } from '@acc/contract/requestInputs'
import type { ListedFileEximport } from '@acc/contract/requests'
import { MAX_CONFIRMED } from '@acc/contract/urgentExports'
import { Group, Textarea } from '@mantine/core'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { type EditMode, EditModeAction, EditModeSwitch } from '../../kit/form/editMode.tsx'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { guarded } from '../../kit/form/unsaved.ts'
import { type ApiForm, useApiForm } from '../../kit/form/useApiForm.ts'
import { Hint } from '../../kit/layout/Page.tsx'
import { peopleNames } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { approvalsTexts, useReviewCount, useWaitingCount } from './approvals.ts'

type Mode = { mode: EditMode<ListedFileEximport> }

/** Numbers that the notice about requests that were left out names. */
const NAMED = 10

/** Tells which requests were left out, by texts with their number and the first ones. */
function noticeSkipped(skipped: readonly number[], title: string, bodyOf: (idxes: string) => string): void {
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
function ManyDialog({ form, people, hint, isRequired = false, ...dialog }: Dialog) {
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
function ManyActions({ mode, label, isDanger = false, isEmpty, whyDisabled, dialogOf }: Props) {
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

const peopleOf = ({ mode }: Mode) => [
  ...new Map(mode.checked.map(({ requesterId: id, requesterName: name }) => [id, { id, name }])).values(),
]

function ConfirmDialog({ mode, onClose }: Mode & { onClose: () => void }) {
  const t = useTexts(approvalsTexts)
  const { checked } = mode
  const title = t('urgent.title', { count: checked.length })
  const form = useApiForm(api.urgentExports.confirm, {
    initial: { purpose: '' },
    fixed: { idxes: checked.map(({ idx }) => idx) },
    dialogs: { NOT_ALLOWED: title },
    notDrafted: ['purpose'],
    done: ({ confirmed }) => t('urgent.done', { count: confirmed.length }),
    onDone: ({ skipped }) => {
      mode.check([])
      onClose()
      const { length: count } = skipped
      noticeSkipped(skipped, t('urgent.skippedTitle'), (idxes) => t('urgent.skipped', { count, idxes }))
    },
  })
  return (
    <ManyDialog
      title={title}
      action={t('urgent.confirm')}
      form={form}
      onClose={onClose}
      people={t('urgent.of', { name: peopleNames(peopleOf({ mode })) })}
      hint={t('urgent.reasonHint')}
    />
  )
}

export function ConfirmMany({ mode, type }: Mode & { type: Transfer }) {
  const t = useTexts(approvalsTexts)
  const isTooMany = mode.checked.length > MAX_CONFIRMED
  const whyDisabled = isTooMany
    ? t('urgent.tooMany', { max: MAX_CONFIRMED })
    : peopleOf({ mode }).length > 1
      ? t('urgent.severalPeople')
      : undefined
  return (
    <ManyActions
      mode={mode}
      label={t('urgent.confirm')}
      isEmpty={useReviewCount(type) === 0}
      whyDisabled={whyDisabled}
      dialogOf={(close) => <ConfirmDialog mode={mode} onClose={close} />}
    />
  )
}

function RejectDialog({ mode, onClose }: Mode & { onClose: () => void }) {
  const t = useTexts(approvalsTexts)
  const { checked } = mode
  const count = checked.length
  const title = t('many.title', { count })
  const form = useApiForm(api.requests.rejectMany, {
    initial: { purpose: '' },
    fixed: { requests: checked.map(({ idx, step }) => ({ idx, step })) },
    messages: { purpose: t('many.reasonFormat') },
    dialogs: { NOT_ALLOWED: title },
    notDrafted: ['purpose'],
    done: ({ rejected }) => t('many.done', { count: rejected }),
    onDone: ({ skipped }) => {
      mode.check([])
      onClose()
      const { length } = skipped
      noticeSkipped(skipped, t('many.skippedTitle'), (idxes) => t('many.skipped', { count: length, idxes }))
    },
  })
  const people = checked.map(({ requesterId, requesterName }) => ({ id: requesterId, name: requesterName }))
  return (
    <ManyDialog
      title={title}
      action={t('many.reject')}
      form={form}
      onClose={onClose}
      whyDisabled={form.isDirty ? undefined : t('many.reasonFormat')}
      people={t('many.of', { names: peopleNames(people) })}
      hint={t('many.reasonHint')}
      isRequired
    />
  )
}

/** There is no such approval: nobody approves what they have not read. */
export function RejectMany({ mode, type }: Mode & { type: Transfer }) {
  const t = useTexts(approvalsTexts)
  return (
    <ManyActions
      mode={mode}
      label={t('many.reject')}
      isDanger
      isEmpty={useWaitingCount(type) === 0}
      whyDisabled={mode.checked.length > MAX_REJECTED ? t('many.tooMany', { max: MAX_REJECTED }) : undefined}
      dialogOf={(close) => <RejectDialog mode={mode} onClose={close} />}
    />
  )
}
