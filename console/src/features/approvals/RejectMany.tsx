// Rejecting several requests with one reason: the edit mode of the list of what waits for the viewer. There is no such
// approval: nobody approves what they have not read.
import { api } from '@acc/contract'
import type { Transfer } from '@acc/contract/labels/requests'
import { MAX_REJECTED } from '@acc/contract/requestInputs'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { peopleNames } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { approvalsTexts, useWaitingCount } from './approvals.ts'
import { ManyActions, ManyDialog, type Mode, noticeSkipped } from './ManyActions.tsx'

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
