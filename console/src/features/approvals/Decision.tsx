// Deciding a request: a reason, two buttons, two keys. `a` and `r` bring the cursor into the reason with the decision
// chosen; pressing the button or Ctrl Enter sends it.
import { api } from '@acc/contract'
import { ApprovalState, Decision } from '@acc/contract/enums'
import type { FileEximportDetail } from '@acc/contract/requests'
import { Button, Kbd, Text, Textarea } from '@mantine/core'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { refresh, useApiAction } from '../../kit/api/query.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { showToast } from '../../kit/dialogs/toast.ts'
import { useUnsaved } from '../../kit/form/unsaved.ts'
import { Quote, Section } from '../../kit/layout/Page.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Approvals.module.css'
import { approvalsTexts } from './approvals.texts.ts'

type State = {
  reason: string
  setReason: (reason: string) => void
  /** What the keys have chosen; null while nothing is. */
  chosen: 0 | 1 | null
  send: (decision: 0 | 1) => void
  isSending: boolean
  field: RefObject<HTMLTextAreaElement | null>
}

/** Keys that start a decision, outside of any field. */
function useKeys(isOn: boolean, choose: (decision: 0 | 1) => void) {
  useEffect(() => {
    if (!isOn) return
    const press = (event: globalThis.KeyboardEvent) => {
      const { target, key } = event
      const isTyping = target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('[aria-modal="true"]'))
        return
      if (key !== 'a' && key !== 'r') return
      event.preventDefault()
      choose(key === 'a' ? Decision.APPROVE : Decision.REJECT)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [isOn, choose])
}

type Going = { nextOf: (idx: number) => number | undefined; onDecided: (next: number | undefined) => void }

export function useDecision(request: FileEximportDetail, { nextOf, onDecided }: Going): State {
  const t = useTexts(approvalsTexts)
  const [reason, setReason] = useState('')
  const [chosen, setChosen] = useState<0 | 1 | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const tellDecided = () => {
    showToast(t('alreadyDecided'))
    void refresh(api.requests.decide.changes)
  }
  const action = useApiAction(api.requests.decide, { handles: { REQUEST_STATE: tellDecided } })
  useUnsaved(reason.trim() !== '' && !action.isRunning, () => setReason(''))
  const choose = (decision: 0 | 1) => {
    setChosen(decision)
    field.current?.focus()
  }
  useKeys(request.isDecidable === 1, choose)
  const send = async (decision: 0 | 1) => {
    if (action.isRunning) return
    // Known before it is sent: the server's event may take the request out of the list before the answer is here.
    const next = nextOf(request.idx)
    const answer = await action.run({ idx: request.idx, state: decision, purpose: reason })
    if (answer === undefined) return
    setReason('')
    showToast(t(decision === Decision.APPROVE ? 'approveDone' : 'rejectDone', { idx: request.idx }))
    // The form is clean only with the next render; moving on before would ask about the sent reason.
    setTimeout(() => onDecided(next))
  }
  return { reason, setReason, chosen, send: (decision) => void send(decision), isSending: action.isRunning, field }
}

export function DecisionReason({ request, decision }: { request: FileEximportDetail; decision: State }) {
  const t = useTexts(approvalsTexts)
  if (request.approveDT !== null && request.approvePurpose)
    return (
      <Section title={t('reason')}>
        <Quote>{request.approvePurpose}</Quote>
      </Section>
    )
  if (request.isDecidable === 0) return null
  const sendByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && decision.chosen !== null)
      decision.send(decision.chosen)
    if (event.key === 'Escape') decision.field.current?.blur()
  }
  return (
    <Section title={t('reason')}>
      <Textarea
        ref={decision.field}
        aria-label={t('reason')}
        placeholder={t('reasonHint')}
        maxLength={200}
        autosize
        minRows={2}
        maxRows={6}
        value={decision.reason}
        onChange={(event) => decision.setReason(event.currentTarget.value)}
        onKeyDown={sendByKey}
      />
    </Section>
  )
}

/** Why there are no buttons, where there are none but one would look for them. */
function useHint(request: FileEximportDetail): string | null {
  const t = useTexts(approvalsTexts)
  const { session } = useViewer()
  if (request.state !== ApprovalState.REQUESTED) return null
  if (request.isFileUploaded === 0) return t('uploadingHint')
  if (request.requesterId === session.id) return t('ownRequest')
  return request.isDecidable === 0 ? t('viewOnly') : null
}

export function DecisionFoot({ request, decision }: { request: FileEximportDetail; decision: State }) {
  const t = useTexts(approvalsTexts)
  const hint = useHint(request)
  if (request.isDecidable === 0)
    return hint === null ? null : (
      <div className={css.foot}>
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      </div>
    )
  return (
    <div className={css.foot}>
      <Button
        variant={decision.chosen === Decision.REJECT ? 'light' : 'default'}
        color="red"
        c="var(--bad)"
        loading={decision.isSending}
        onClick={() => decision.send(Decision.REJECT)}
        rightSection={<Kbd size="xs">R</Kbd>}
        aria-keyshortcuts="r"
      >
        {t('reject')}
      </Button>
      <span className={css.hint}>{t('nextHint')}</span>
      <Button
        loading={decision.isSending}
        onClick={() => decision.send(Decision.APPROVE)}
        rightSection={
          <Kbd size="xs" className={css.onAccent}>
            A
          </Kbd>
        }
        aria-keyshortcuts="a"
      >
        {t('approve')}
      </Button>
    </div>
  )
}
