// Decrypts stored mails: `expect(await mailsTo(app, user.email)).toHaveLength(1)`.
import type { Services } from '../src/core/services.ts'
import { openText } from '../src/domains/mails/mails.text.ts'

/** Returns the mails to an address, oldest first, sent or not. */
export async function mailsTo(
  app: Pick<Services, 'db' | 'key'>,
  receiver: string,
): Promise<{ subject: string; text: string }[]> {
  const rows = await app.db.read
    .selectFrom('mails')
    .select(['idx', 'subject', 'body'])
    .where('receiver', '=', receiver)
    .orderBy('idx')
    .execute()
  return rows.map((row) => ({ subject: row.subject, text: openText(app.key, row)?.text ?? '' }))
}

/** Returns the temporary password in a mail. */
export const temporaryPasswordIn = (text: string): string => /^Temporary password: (\S+)$/m.exec(text)?.[1] ?? ''
