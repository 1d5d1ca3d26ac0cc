// Unsaved input, kept in this browser for a day, for the person who typed it. It survives the end of a session, a
// reload and a crash. Signing in deletes the drafts of other people, signing out deletes all.
import { formatMoment } from '@acc/contract/labels/formats'
import { version } from '../../../package.json'
import { readStored, storedNames, writeStored } from './storage.ts'

const PREFIX = 'acc.draft.'
const DAY = 24 * 60 * 60 * 1000
const MAX_DRAFTS = 20
/** Characters of one draft. A larger one is not kept. */
const MAX_SIZE = 50_000

/** Each changed field: the value that the form began with, and the typed one. */
export type DraftValues = Record<string, { base: unknown; mine: unknown }>
export type Draft = { at: number; values: DraftValues }
/** Drafts of another version are dropped: its fields may have had other types. */
type StoredDraft = Draft & { version: string }

let owner: string | undefined

const nameOf = (subject: string) => `${PREFIX}${owner}/${subject}`

function parse(text: string | null): StoredDraft | undefined {
  try {
    const draft = JSON.parse(text ?? '') as StoredDraft | null
    const isFresh = draft?.version === version && Math.abs(Date.now() - draft.at) < DAY
    return isFresh && typeof draft.values === 'object' && draft.values !== null ? draft : undefined
  } catch {
    return undefined
  }
}

/** Deletes all drafts. */
export function deleteDrafts(): void {
  for (const name of storedNames(PREFIX)) writeStored(name, null)
}

/** Begins to keep the drafts of this person. Deletes those of other people, and the old ones. */
export function openDrafts({ idx, id }: { idx: number; id: string }): void {
  owner = `${idx}.${id}`
  for (const name of storedNames(PREFIX)) {
    const isKept = name.startsWith(nameOf('')) && parse(readStored(name)) !== undefined
    if (!isKept) writeStored(name, null)
  }
}

/** The time of a draft, which is less than a day old: `14:02`. */
export const draftTime = (at: number): string => formatMoment(new Date(at).toISOString()).slice(11, 16)

export const findDraft = (subject: string): Draft | undefined =>
  owner === undefined ? undefined : parse(readStored(nameOf(subject)))

/** Keeps a draft in place of the oldest one where there are too many. Returns whether the browser keeps it. */
export function storeDraft(subject: string, values: DraftValues): boolean {
  if (owner === undefined) return false
  const draft: StoredDraft = { at: Date.now(), version, values }
  const text = JSON.stringify(draft)
  const others = storedNames(PREFIX).filter((name) => name !== nameOf(subject))
  if (others.length >= MAX_DRAFTS) {
    const ageOf = (name: string) => parse(readStored(name))?.at ?? 0
    const [oldest] = others.sort((one, other) => ageOf(one) - ageOf(other))
    if (oldest !== undefined) writeStored(oldest, null)
  }
  const isKept = text.length <= MAX_SIZE && writeStored(nameOf(subject), text)
  if (!isKept) deleteDraft(subject)
  return isKept
}

export function deleteDraft(subject: string): void {
  if (owner !== undefined) writeStored(nameOf(subject), null)
}
