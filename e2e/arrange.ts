// Arranging data by the typed calls: people with passwords of their own, groups, policies.
import { setTimeout as rest } from 'node:timers/promises'
import { OtpRegistration } from '@acc/contract/account'
import { ApiError } from '@acc/contract/core/client'
import { TOTP } from 'totp-generator'
import type { AccServer, Calls } from './accServer.ts'

export type Person = { idx: number; id: string; name: string; email: string; password: string }
export const PASSWORD = 'Qa9!zebra-Lm'
export const ROOT = 1

/** Characters that a search accepts. */
const SEARCH = 30

/** Polling interval and time limit, in milliseconds. */
const INTERVAL = 50
const AT_MOST = 20_000

/** Polls until a value is present. */
export async function until<T>(what: string, find: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + AT_MOST; Date.now() < end; await rest(INTERVAL)) {
    const found = await find()
    if (found !== undefined) return found
  }
  throw new Error(`waited in vain for ${what}`)
}

/** Returns the temporary password in a mail. */
export const temporaryPasswordIn = (text: string): string => /^임시 비밀번호: (\S+)$/m.exec(text)?.[1] ?? ''

/** Returns the code in a mail. */
export const codeIn = (text: string): string => /^Verification code: (\d{6})$/m.exec(text)?.[1] ?? ''

/** What the newest mail to an address says, once it is in the outbox and says it. */
function readNewestMail(admin: Calls, email: string, read: (text: string) => string): Promise<string> {
  return until(`a mail to ${email}`, async () => {
    const { items } = await admin.mails.search({ receiver: email.slice(0, SEARCH) })
    const [newest] = items.filter((mail) => mail.isInOutbox === 1 && mail.receiver === email)
    if (newest === undefined) return undefined
    const { text } = await admin.mails.find({ idx: newest.idx })
    return read(text ?? '') || undefined
  })
}

/** The newest temporary password that was mailed to an address. */
export const temporaryPasswordOf = (admin: Calls, email: string) => readNewestMail(admin, email, temporaryPasswordIn)

/** The newest code that was mailed to an address. */
export const mailedCodeOf = (admin: Calls, email: string) => readNewestMail(admin, email, codeIn)

/** Creates a user who does not sign in, without waiting for the mail. */
export async function addUser({ admin }: AccServer, id: string, name: string, groupIdx = ROOT) {
  const email = `${id}@example.com`
  const { idx } = await admin.users.create({ id, name, email, groupIdx, isMortal: 0 })
  return { idx, id, name, email }
}

/** Creates a user whose password is still the temporary one. */
export async function addNewPerson(server: AccServer, id: string, name: string, groupIdx = ROOT): Promise<Person> {
  const user = await addUser(server, id, name, groupIdx)
  return { ...user, password: await temporaryPasswordOf(server.admin, user.email) }
}

/** Creates a user with a password of their own. */
export async function addPerson(server: AccServer, id: string, name: string, groupIdx = ROOT): Promise<Person> {
  const person = await addNewPerson(server, id, name, groupIdx)
  await server.admin.account.changePw({ id, pw: person.password, newPw: PASSWORD })
  return { ...person, password: PASSWORD }
}

/** Registers an authenticator of a person who needs one, and returns its key. */
export async function registerAuthenticator({ admin }: AccServer, { id, password }: Person): Promise<string> {
  const refusal = await admin.session.login({ id, pw: password }).catch((error: unknown) => error)
  if (!(refusal instanceof ApiError)) throw new Error(`${id} needs no authenticator`)
  const { otpSecret } = OtpRegistration.parse(refusal.data)
  const { otp } = await TOTP.generate(otpSecret, { explicitZeroPad: true })
  await admin.account.registerOtp({ id, pw: password, otp })
  return otpSecret
}
