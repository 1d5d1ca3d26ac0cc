// The text of a stored mail: sealed, since it may contain a temporary password, and bound to its row.
import { sealedRows } from '../../core/sealedRows.ts'
import { seal, UnsealError, unseal } from '../../crypto/seal.ts'
import type { SecretKey } from '../../crypto/secretKey.ts'

export type MailText = {
  text: string
  html: string
  /** After this moment (ISO 8601) it is no use to send it; null: always. */
  until: string | null
}

const PURPOSE = 'mail'
const rowOf = (idx: number) => `mails:${idx}:body`

export const sealText = (key: SecretKey, idx: number, text: MailText): Buffer =>
  seal(key, PURPOSE, rowOf(idx), JSON.stringify(text))

/** The text, or undefined where none is kept or it does not open: it was sealed with another key, or altered. */
export function openText(key: SecretKey, { idx, body }: { idx: number; body: Buffer | null }): MailText | undefined {
  if (body === null) return undefined
  try {
    return JSON.parse(unseal(key, PURPOSE, rowOf(idx), body).toString('utf8')) as MailText
  } catch (error) {
    if (error instanceof UnsealError) return undefined
    throw error
  }
}

export const isOutOfDate = ({ until }: MailText, now: Date): boolean => until !== null && new Date(until) <= now

export const sealedTexts = sealedRows({
  table: 'mails',
  key: 'idx',
  column: 'body',
  purpose: PURPOSE,
  contextOf: ({ idx }) => rowOf(idx),
})
