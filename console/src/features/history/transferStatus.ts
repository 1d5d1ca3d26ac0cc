// A row of the transfer history, and its state in one word and its tone.
import type { api } from '@acc/contract'
import type { DataOf } from '@acc/contract/core/route'
import { ApprovalState } from '@acc/contract/enums'
import type { Tone } from '../../kit/table/StatusDot.tsx'

export type FileEximportRow = DataOf<typeof api.history.fileEximport>['items'][number]

type Word = 'waiting' | 'approved' | 'rejected' | 'canceled' | 'allowed'
export const STATES: Record<ApprovalState, { word: Word; tone: Tone }> = {
  [ApprovalState.REQUESTED]: { word: 'waiting', tone: 'warn' },
  [ApprovalState.APPROVED]: { word: 'approved', tone: 'ok' },
  [ApprovalState.REJECTED]: { word: 'rejected', tone: 'bad' },
  [ApprovalState.CANCELED]: { word: 'canceled', tone: 'quiet' },
  [ApprovalState.ALLOWED]: { word: 'allowed', tone: 'quiet' },
}
