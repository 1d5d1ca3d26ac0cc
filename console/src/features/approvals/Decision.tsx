// Deciding a request: the reason with its hint, and the two buttons. The armed decision is the filled button.
import { api } from '@acc/contract'
import { Decision, RequestBlock, RequestEvent, RequestState, Review } from '@acc/contract/labels/requests'
import { acceptsFiles, isReleased, isToReview, isWaiting } from '@acc/contract/requestState'
import type { FileEximportDetail } from '@acc/contract/requests'
import { Alert, Button, Kbd, Switch, Text, Textarea } from '@mantine/core'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useViewer } from '../../kit/api/viewer.ts'
import { maxLengthOf } from '../../kit/form/formInput.ts'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { PaneFoot, Quote, Section } from '../../kit/layout/Page.tsx'
import { useLabel } from '../../kit/texts/labels.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import css from './Approvals.module.css'
import { approvalsTexts } from './approvals.ts'
import type { DecisionState } from './useDecision.ts'

/** Moves the keyboard focus to the row of a request. */
export const focusRequest = (idx: number | undefined): void =>
  document.querySelector<HTMLElement>(`tr[data-idx="${idx}"]`)?.focus()

type Props = { request: FileEximportDetail; decision: DecisionState }

const OVERTAKEN = {
  [RequestState.REQUESTED]: 'alreadyDecided',
  [RequestState.APPROVED]: 'approvedByOther',
  [RequestState.REJECTED]: 'rejectedByOther',
  [RequestState.CANCELED]: 'canceledByRequester',
  [RequestState.ALLOWED]: 'alreadyDecided',
} as const

/** Shows that the request was decided or canceled while a reason was being typed, and keeps the text. */
function Overtaken({ request, decision }: Props) {
  const t = useTexts(approvalsTexts)
  const isExpired = request.steps.at(-1)?.type === RequestEvent.EXPIRED
  const title = isExpired ? 'expiredJustNow' : OVERTAKEN[request.state]
  return (
    <Alert mt={12} color="yellow" title={t(title, { name: request.approverName ?? '' })}>
      <Text size="sm">{t('yourReason')}</Text>
      <Quote>{decision.reason}</Quote>
      <Button variant="default" size="xs" mt={8} onClick={() => decision.setReason('')}>
        {t('discardReason')}
      </Button>
    </Alert>
  )
}

/** Returns the hint below the reason, which names the keys. */
function useReasonHint({ request, decision }: Props, isFocused: boolean) {
  const t = useTexts(approvalsTexts)
  const { armed } = decision
  const isReview = request.isReviewable === 1
  if (armed === null) return t(isFocused ? 'escapeHint' : isReview ? 'urgent.keysHint' : 'keysHint')
  if (armed === Decision.APPROVE) return t(isReview ? 'urgent.confirmHint' : 'approveHint')
  const isEmpty = decision.reason.trim() === ''
  if (isReview) return t(isEmpty ? 'urgent.reasonWanted' : 'urgent.objectHint')
  return t(isEmpty ? 'reasonWanted' : 'rejectHint')
}

function ReasonField({ request, decision }: Props) {
  const t = useTexts(approvalsTexts)
  const { armed } = decision
  const [isFocused, setFocused] = useState(false)
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && armed !== null) decision.send(armed)
    if (event.key !== 'Escape') return
    decision.disarm()
    focusRequest(request.idx)
  }
  const hint = useReasonHint({ request, decision }, isFocused)
  const { field, reason } = decision
  // biome-ignore lint/correctness/useExhaustiveDependencies: another hint may be longer
  useEffect(() => {
    // A browser brings the caret of a text into view, but neither the rest of its field nor the hint below it.
    if ((armed !== null || reason !== '') && field.current === document.activeElement)
      field.current?.closest(`.${css.reason}`)?.scrollIntoView({ block: 'nearest' })
  }, [field, reason, hint, armed])
  return (
    <Section title={t('reason')}>
      <Textarea
        ref={decision.field}
        classNames={{ root: css.reason }}
        aria-label={t('reason')}
        placeholder={t('reasonHint')}
        description={hint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        maxLength={maxLengthOf(api.requests.decide.input.shape.purpose)}
        autosize
        minRows={2}
        maxRows={6}
        value={decision.reason}
        onChange={(event) => decision.setReason(event.currentTarget.value)}
        onKeyDown={press}
        // Letters are typed, so that A and R decide nothing.
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      />
      <Switch
        mt={10}
        label={t('opensNext')}
        checked={decision.opensNext}
        onChange={(event) => decision.setOpensNext(event.currentTarget.checked)}
      />
    </Section>
  )
}

export function DecisionReason({ request, decision }: Props) {
  const t = useTexts(approvalsTexts)
  if (decision.isOpen) return <ReasonField request={request} decision={decision} />
  return (
    <>
      {decision.reason.trim() !== '' && !decision.isSending && <Overtaken request={request} decision={decision} />}
      {request.approvePurpose && (
        <Section title={t('reason')}>
          <Quote>{request.approvePurpose}</Quote>
        </Section>
      )}
    </>
  )
}

/** Shows why a request is blocked and what can still be done, only while something of it is still to come. */
export function BlockNotice({ request }: Pick<Props, 'request'>) {
  const t = useTexts(approvalsTexts)
  const language = useLanguage()
  if (request.block === null || !(acceptsFiles(request) || isReleased(request))) return null
  return (
    <Alert mb={12} color="red" title={RequestBlock.labels[request.block][language]}>
      {t(isWaiting(request) ? 'blockedWaiting' : 'blockedFiles')}
    </Alert>
  )
}

/** Shows that a waiting request has nobody who could decide it. */
export function NobodyNotice({ request: { deciders, stepCount } }: Pick<Props, 'request'>) {
  const t = useTexts(approvalsTexts)
  if (deciders?.count !== 0) return null
  return (
    <Alert mb={12} color="red" title={t('nobody')}>
      {t(stepCount > 1 ? 'nobodyAtStep' : 'nobodyInGroup')}
    </Alert>
  )
}

/** Explains why a request that waits or is to be reviewed has no buttons. */
function useHint(request: FileEximportDetail): string | null {
  const t = useTexts(approvalsTexts)
  const { session } = useViewer()
  if (request.state !== RequestState.REQUESTED && !isToReview(request)) return null
  if (request.isFileUploaded === 0) return t('uploadingHint')
  if (request.requesterId === session.id) return t('ownRequest')
  return t(request.stepCount > 1 ? 'otherStep' : 'viewOnly')
}

/** Buttons with the labels of a decision or of a review, which have the same numbers. */
const BUTTONS = [
  { code: Decision.REJECT, key: 'R', color: 'red' },
  { code: Decision.APPROVE, key: 'A', color: undefined },
] as const

export function DecisionFoot({ request, decision }: Props) {
  const t = useTexts(approvalsTexts)
  const labelOf = useLabel()
  const hint = useHint(request)
  if (!decision.isOpen)
    return hint === null ? null : (
      <PaneFoot>
        <Text size="sm" c="dimmed" mr="auto">
          {hint}
        </Text>
      </PaneFoot>
    )
  const isReview = request.isReviewable === 1
  const canApprove = isReview || request.isApprovable === 1
  const { labels } = isReview ? Review : Decision
  const filled = decision.armed ?? (canApprove ? Decision.APPROVE : Decision.REJECT)
  return (
    <PaneFoot fills>
      {BUTTONS.map(({ code, key, color }) => (
        <ReasonedButton
          key={code}
          className={css.touch}
          variant={code === filled ? 'filled' : 'default'}
          color={color}
          c={code === filled || color === undefined ? undefined : 'var(--bad)'}
          isBusy={decision.isSending}
          whyDisabled={code === Decision.APPROVE && !canApprove ? t('cannotApprove') : undefined}
          onClick={() => decision.press(code)}
          rightSection={
            !decision.isSending && (
              <Kbd size="xs" aria-hidden className={code === filled ? css.onAccent : undefined}>
                {code === decision.armed ? 'Ctrl ↵' : key}
              </Kbd>
            )
          }
          aria-keyshortcuts={code === decision.armed ? 'Control+Enter' : key.toLowerCase()}
        >
          {labelOf(labels[code])}
        </ReasonedButton>
      ))}
    </PaneFoot>
  )
}
