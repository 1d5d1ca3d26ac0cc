// Confirming several urgent exports of one person: the edit mode of the list of what the viewer has to review.
import { api } from '@acc/contract'
import type { Transfer } from '@acc/contract/labels/requests'
import { MAX_CONFIRMED } from '@acc/contract/urgentExports'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { peopleNames } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { approvalsTexts, useReviewCount } from './approvals.ts'
import { ManyActions, ManyDialog, type Mode, noticeSkipped } from './ManyActions.tsx'

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
