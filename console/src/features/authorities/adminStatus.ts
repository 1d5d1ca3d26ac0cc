// The state of an account in one word and its tone.
import { hasFlag, UserState } from '@acc/contract/enums'
import type { Tone } from '../../kit/table/StatusDot.tsx'

type Word = 'active' | 'temporaryPassword' | 'suspended'

export function adminStatus(state: number): { word: Word; tone: Tone } {
  if (hasFlag(state, UserState.DISABLED)) return { word: 'suspended', tone: 'bad' }
  if (hasFlag(state, UserState.NEW)) return { word: 'temporaryPassword', tone: 'warn' }
  return { word: 'active', tone: 'ok' }
}
