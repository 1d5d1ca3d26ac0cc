// The state of a request in one word and its tone.
import { ApprovalState } from '@acc/contract/enums'
import { isUploading, type RequestStatus } from '@acc/contract/requestState'
import type { Tone } from '../../kit/table/StatusDot.tsx'

type Word = 'waiting' | 'uploading' | 'approved' | 'rejected' | 'canceled' | 'allowed'

const WORDS = {
  [ApprovalState.REQUESTED]: { word: 'waiting', tone: 'warn' },
  [ApprovalState.APPROVED]: { word: 'approved', tone: 'ok' },
  [ApprovalState.REJECTED]: { word: 'rejected', tone: 'bad' },
  [ApprovalState.CANCELED]: { word: 'canceled', tone: 'quiet' },
  [ApprovalState.ALLOWED]: { word: 'allowed', tone: 'quiet' },
} as const satisfies Record<ApprovalState, { word: Word; tone: Tone }>

/** A request whose files are still on their way waits for them, not for the approver. */
export function approvalStatus(request: RequestStatus): { word: Word; tone: Tone } {
  if (request.state === ApprovalState.REQUESTED && isUploading(request)) return { word: 'uploading', tone: 'accent' }
  return WORDS[request.state]
}
