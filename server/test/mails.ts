// What was mailed to whom, opened as only the server can: `expect(await mailsTo(app, user.email)).toHaveLength(1)`.
import type { Services } from '../src/core/services.ts'
import { openText } from '../src/domains/mails/mails.text.ts'

/** The mails to an address, the oldest first, whether they went out yet or not. */
export async function mailsTo(app: Services, receiver: string): Promise<{ subject: string; text: string }[]> {
  const rows = await app.db.read
    .selectFrom('mails')
    .select(['idx', 'subject', 'body'])
    .where('receiver', '=', receiver)
    .orderBy('idx')
    .execute()
  return rows.map((row) => ({ subject: row.subject, text: openText(app.key, row)?.text ?? '' }))
}

/** The temporary password that a mail tells. */
export const temporaryPasswordIn = (text: string): string => /^Temporary password: (\S+)$/m.exec(text)?.[1] ?? ''
