// Rejecting several requests with one reason: the edit mode of the list of what waits for the viewer. There is no such
// approval: nobody approves what they have not read.
import { api } from '@acc/contract'
import type { Transfer } from '@acc/contract/labels/requests'
import { MAX_REJECTED } from '@acc/contract/requestRejection'
import type { ListedFileEximport } from '@acc/contract/requests'
import { Group, Textarea } from '@mantine/core'
import { useState } from 'react'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { type EditMode, EditModeAction, EditModeSwitch } from '../../kit/form/editMode.tsx'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { guarded } from '../../kit/form/unsaved.ts'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { Hint } from '../../kit/layout/Page.tsx'
import { peopleNames } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { approvalsTexts, useWaitingCount } from './approvals.ts'

type Mode = { mode: EditMode<ListedFileEximport> }

/** Numbers that the notice about requests that were left out names. */
const NAMED = 10

function RejectDialog({ mode, onClose }: Mode & { onClose: () => void }) {
  const t = useTexts(approvalsTexts)
  const { checked } = mode
  const count = checked.length
  const title = t('many.title', { count })
  const noticeSkipped = (skipped: readonly number[]) => {
    const idxes = skipped.slice(0, NAMED).map((idx) => `#${idx}`)
    const body = t('many.skipped', { count: skipped.length, idxes: idxes.join(', ') })
    if (skipped.length > 0) void showMessage({ title: t('many.skippedTitle'), body })
  }
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
      noticeSkipped(skipped)
    },
  })
  const people = checked.map(({ requesterId, requesterName }) => ({ id: requesterId, name: requesterName }))
  return (
    <FormDialog
      title={title}
      action={t('many.reject')}
      form={form}
      onClose={onClose}
      whyDisabled={form.isDirty ? undefined : t('many.reasonFormat')}
      isNew
    >
      <Hint>{t('many.of', { names: peopleNames(people) })}</Hint>
      <Textarea
        label={t('reason')}
        description={t('many.reasonHint')}
        withAsterisk
        data-autofocus
        autosize
        minRows={2}
        maxRows={6}
        {...form.field('purpose')}
      />
    </FormDialog>
  )
}

/** The actions of the edit mode, in the head of the screen. */
export function RejectMany({ mode, type }: Mode & { type: Transfer }) {
  const t = useTexts(approvalsTexts)
  const [isOpen, setOpen] = useState(false)
  const count = mode.checked.length
  const isEmpty = useWaitingCount(type) === 0
  return (
    <Group gap={8} justify="flex-end" c="var(--ink-2)" fz="var(--fs-s)">
      {mode.isOn && <span role="status">{t('many.chosen', { count })}</span>}
      <EditModeAction
        mode={mode}
        label={t('many.reject')}
        isDanger
        whyDisabled={count > MAX_REJECTED ? t('many.tooMany', { max: MAX_REJECTED }) : undefined}
        onClick={guarded(() => setOpen(true))}
      />
      <EditModeSwitch mode={mode} label={t('many.choose')} isEmpty={isEmpty} />
      {isOpen && <RejectDialog mode={mode} onClose={() => setOpen(false)} />}
    </Group>
  )
}
