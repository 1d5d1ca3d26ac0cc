// What can be wrong with the sealed history, in the operator's words.
import type { Sealed } from './history.seals.ts'

export type Finding =
  | { fault: 'altered' | 'missing' | 'inserted'; source: Sealed; idx: number; no: number }
  /** A seal that is not the one that was made, or that is not there. */
  | { fault: 'seal'; no: number }
  /** The seals end before a known one, or have another one in its place. */
  | { fault: 'head'; no: number }
  /** A number that the database never gave out. */
  | { fault: 'number'; source: Sealed; idx: number }
  /** A row that is dated long before the last sealed ones. */
  | { fault: 'early'; source: Sealed; idx: number }
  /** The file with the last seal is unreadable, missing, or of another installation or of the time before a restore. */
  | { fault: 'file' | 'noFile' | 'origin' }

const NAMES: Readonly<Record<Sealed, string>> = { history: 'row', signIns: 'sign-in', signOuts: 'end of session' }

const SENTENCES = {
  file: 'the file history.head of the data directory cannot be read, was altered, or was signed with another key',
  noFile: 'the file history.head is missing from the data directory, and the database does not name its last seal',
  origin: 'the file history.head is of another installation, or of the time before a restore',
}

export function sentenceOf(finding: Finding): string {
  if (finding.fault === 'seal') return `seal ${finding.no} is missing, was altered, or was made with another key`
  if (finding.fault === 'head')
    return `seal ${finding.no} is not the expected one: the history was sealed anew, or its end was removed`
  if (!('source' in finding)) return SENTENCES[finding.fault]
  const row = `${NAMES[finding.source]} ${finding.idx}`
  if (finding.fault === 'number') return `${row} has a number that the database never gave out`
  if (finding.fault === 'early') return `${row} is dated more than a day before the last sealed ones`
  const { fault, no } = finding
  if (fault === 'altered') return `${row} is not as seal ${no} has it`
  return fault === 'missing' ? `${row} of seal ${no} is missing` : `${row} was inserted among those of seal ${no}`
}
