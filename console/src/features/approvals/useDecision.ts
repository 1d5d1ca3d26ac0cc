// The state of deciding or reviewing one request: the reason, the armed decision, and sending. `A` and `R` arm one and
// focus the reason. Ctrl Enter or the button sends it, Escape disarms it. The reject button without a reason only arms
// it, so that a reason is asked for once.
import { api } from '@acc/contract'
import { Decision } from '@acc/contract/labels/requests'
import type { FileEximportDetail } from '@acc/contract/requests'
import { useHotkeys } from '@mantine/hooks'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { refresh, useApiAction } from '../../kit/api/query.ts'
import { deleteDraft, draftTime, findDraft, storeDraft } from '../../kit/browser/drafts.ts'
import { readStored, writeStored } from '../../kit/browser/storage.ts'
import { useShortcut } from '../../kit/browser/useShortcut.ts'
import { showToast } from '../../kit/dialogs/toast.tsx'
import { useUnsaved } from '../../kit/form/unsaved.ts'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { text, useTexts } from '../../kit/texts/texts.ts'
import { approvalsTexts } from './approvals.ts'

/** A typed text that is kept as a draft (browser/drafts.ts). Where it can no longer be sent, none is restored. */
function useDraftText(subject: string, isWanted: boolean) {
  const [restored] = useState(() => (isWanted ? findDraft(subject) : undefined))
  const before = restored?.values.text?.mine
  const [typed, setTyped] = useState(typeof before === 'string' ? before : '')
  const isKept = useRef(typed !== '')
  useEffect(() => {
    if (!restored) return
    showToast(text(kitTexts, 'draft.restored', { at: draftTime(restored.at) }))
  }, [restored])
  const set = (next: string) => {
    setTyped(next)
    isKept.current = next.trim() !== '' && storeDraft(subject, { text: { base: '', mine: next } })
    if (!isKept.current) deleteDraft(subject)
  }
  return { typed, set, isKept: () => isKept.current }
}

type DecisionCode = (typeof Decision.values)[number]

export type DecisionState = {
  /** The viewer may decide the request, or review it, now. */
  isOpen: boolean
  reason: string
  setReason: (reason: string) => void
  /** The decision that Ctrl Enter sends. */
  armed: DecisionCode | null
  disarm: () => void
  /** Sends a decision from the keyboard. */
  send: (decision: DecisionCode) => void
  /** Sends a decision from a button. */
  press: (decision: DecisionCode) => void
  isSending: boolean
  opensNext: boolean
  setOpensNext: (opensNext: boolean) => void
  field: RefObject<HTMLTextAreaElement | null>
}

/** What the screen does after a decision. */
export type AfterDecision = {
  /** The request that waits after this one in the list. */
  nextOf: (idx: number) => number | undefined
  /** `next` is where the keyboard continues; `opens` whether it is shown. */
  onDecided: (next: number | undefined, opens: boolean) => void
}

const OPENS_NEXT = 'acc.approvals.opensNext'
/**
 * Milliseconds in which buttons ignore clicks: after a decision, when the next request may have appeared under the
 * pointer, and after a reason was asked for.
 */
const PAUSE = 600
let pausedAt = Number.NEGATIVE_INFINITY

/** The remembered switch "Open the next request". */
function useOpensNext() {
  const [opensNext, set] = useState(() => readStored(OPENS_NEXT) === '1')
  const setOpensNext = (opens: boolean) => {
    writeStored(OPENS_NEXT, opens ? '1' : null)
    set(opens)
  }
  return { opensNext, setOpensNext }
}

function useKeys(arm: (decision: DecisionCode) => void, disarm: () => void): void {
  useShortcut('A', () => arm(Decision.APPROVE))
  useShortcut('R', () => arm(Decision.REJECT))
  useHotkeys([['Escape', disarm, { preventDefault: false }]], [])
}

/** A request on hold can be rejected only. */
const canSend = ({ isApprovable, isDecidable, isReviewable }: FileEximportDetail, decision: DecisionCode): boolean =>
  isReviewable === 1 || (decision === Decision.APPROVE ? isApprovable : isDecidable) === 1

function doneText({ step, stepCount, isReviewable }: FileEximportDetail, decision: DecisionCode) {
  if (isReviewable === 1) return decision === Decision.REJECT ? 'urgent.objectDone' : 'urgent.confirmDone'
  if (decision === Decision.REJECT) return 'rejectDone'
  return step < stepCount ? 'stepDone' : 'approveDone'
}

/** The call that decides a request, or reviews an urgent export. */
function useSending({ idx, step, isReviewable }: FileEximportDetail) {
  const t = useTexts(approvalsTexts)
  const refuse = () => {
    showToast(t('alreadyDecided'), 'warning')
    void refresh(api.requests.decide.changes)
  }
  const decide = useApiAction(api.requests.decide, { handles: { REQUEST_STATE: refuse } })
  const review = useApiAction(api.urgentExports.review, { handles: { REQUEST_STATE: refuse } })
  return {
    isRunning: decide.isRunning || review.isRunning,
    run: (decision: DecisionCode, purpose: string, leave: () => void) =>
      isReviewable === 1
        ? review.run({ idx, decision, purpose }, leave)
        : decide.run({ idx, state: decision, purpose, step }, leave),
  }
}

export function useDecision(request: FileEximportDetail, { nextOf, onDecided }: AfterDecision): DecisionState {
  const t = useTexts(approvalsTexts)
  const isReview = request.isReviewable === 1
  const isOpen = isReview || request.isDecidable === 1
  const { typed: reason, set: setReason, isKept } = useDraftText(`decision ${request.idx}`, isOpen)
  const [armed, setArmed] = useState<DecisionCode | null>(null)
  const { opensNext, setOpensNext } = useOpensNext()
  const field = useRef<HTMLTextAreaElement>(null)
  const isSent = useRef(false)
  const action = useSending(request)
  useUnsaved(isOpen && reason.trim() !== '' && !action.isRunning, () => setReason(''), { isKept })
  const arm = (decision: DecisionCode) => {
    if (!canSend(request, decision)) return
    setArmed(decision)
    field.current?.focus()
  }
  useKeys(arm, () => setArmed(null))
  const send = async (decision: DecisionCode) => {
    // An objection has a reason; the hint below the field says so.
    if (isSent.current || (isReview && decision === Decision.REJECT && reason.trim() === '')) return
    isSent.current = true
    // Known before sending: the live event may remove the request from the list before the response arrives.
    const next = nextOf(request.idx)
    const leave = () => {
      pausedAt = performance.now()
      setReason('')
      setArmed(null)
      showToast(t(doneText(request, decision), { idx: request.idx, step: request.step }))
      // The form is clean only after the next render; moving on before would ask about the sent reason.
      setTimeout(() => onDecided(next, opensNext))
    }
    await action.run(decision, reason, leave)
    isSent.current = false
  }
  const press = (decision: DecisionCode) => {
    if (performance.now() - pausedAt <= PAUSE) {
      // The second half of a double click took the focus.
      if (decision === armed) field.current?.focus()
      return
    }
    if (decision === armed || decision === Decision.APPROVE || reason.trim() !== '') return void send(decision)
    pausedAt = performance.now()
    arm(decision)
  }
  return {
    isOpen,
    reason,
    setReason,
    armed: armed !== null && canSend(request, armed) ? armed : null,
    disarm: () => setArmed(null),
    send: (decision) => void send(decision),
    press,
    isSending: action.isRunning,
    opensNext,
    setOpensNext,
    field,
  }
}
