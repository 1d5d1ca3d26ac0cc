// System administrators as the operator of the server creates them and gives back their access.
import { randomUUID } from 'node:crypto'
import type { PersonWords } from '@acc/contract/contextWords'
import { email, loginId, personName } from '@acc/contract/core/fields'
import { ROOT_GROUP } from '@acc/contract/groups'
import { hasFlag, withFlag, withoutFlag } from '@acc/contract/labels/flags'
import { UserManage } from '@acc/contract/labels/history'
import { LoginType, UserState } from '@acc/contract/labels/users'
import type { z } from 'zod'
import { systemClock } from '../clock.ts'
import { notify } from '../core/change.ts'
import { findUsers } from '../core/people.ts'
import { type UserRow, userLog } from '../core/userLog.ts'
import { isRefused } from '../db/constraints.ts'
import type { Database, Tx } from '../db/open.ts'
import { findContextWords } from '../domains/configs/configs.contextWords.ts'
import { findAccount } from '../domains/credentials/credentials.queries.ts'
import { insertFormerPassword } from '../domains/credentials/formerPasswords.ts'
import { type TemporaryPassword, temporaryPassword } from '../domains/credentials/passwordRules.ts'
import { deleteAllCounts } from '../domains/credentials/throttles.ts'
import { endSessionsOf } from '../domains/session/session.service.ts'
import { insertUser, updateUsers } from '../domains/users/users.queries.ts'
import { deleteAccounts } from '../domains/users/users.service.ts'
import { NO_OTP } from '../domains/users/users.signIn.ts'
import { type Env, readEnv } from '../env.ts'
import { type Command, failure, type Result, required, usageError } from './commandLine.ts'
import { SILENT, withDatabase, withDatabaseAsOwner } from './openForAdmin.ts'
import { changeAsOperator } from './operator.ts'

function valid(option: string, schema: z.ZodString | z.ZodType<string>, text: string, form: string): string {
  const parsed = schema.safeParse(text)
  if (!parsed.success) throw usageError(`${option} takes ${form}.`)
  return parsed.data
}

const passwordColumns = ({ hash, expireDT }: TemporaryPassword) => ({
  state: UserState.NEW,
  pwHash: null,
  pwSetDT: null,
  tmpPwHash: hash,
  tmpPwExpireDT: expireDT,
})

async function requireUser(tx: Tx, idx: number): Promise<UserRow> {
  const [user] = await findUsers(tx, [idx])
  if (user === undefined) throw new Error(`there is no user ${idx}`)
  return user
}

const resultOf = (id: string, { text, expireDT }: TemporaryPassword, what: string): Result => ({
  document: { id, temporaryPassword: text, expireDT: expireDT.toISOString() },
  lines: [what, `  Temporary password, for 24 hours: ${text}`],
})

async function passwordFor(db: Database, env: Env, person: PersonWords): Promise<TemporaryPassword> {
  const services = { clock: systemClock, log: SILENT, env }
  return temporaryPassword(services, db.read, await findContextWords(db.read, services, person))
}

export const add: Command = {
  args: ['ID'],
  options: ['name', 'email'],
  run(values, [given = '']) {
    const id = valid('ID', loginId, given, '5 to 30 of a-z, 0-9, ".", "_" and "-", the first a letter or digit')
    const name = valid('--name', personName, required(values, 'name'), '1 to 30 characters')
    const address = valid('--email', email, required(values, 'email'), 'an email address')
    const env = readEnv(process.env)
    return withDatabaseAsOwner(env, async (db) => {
      const password = await passwordFor(db, env, { id, name, email: address })
      await changeAsOperator(db, async (tx) => {
        const account = { id, name, email: address, groupIdx: ROOT_GROUP, key: randomUUID(), isAdmin: 1 } as const
        const { idx } = await insertUser(tx, { ...account, ...passwordColumns(password) })
        await notify(tx, { topic: 'users', idx, groupIdx: ROOT_GROUP })
        return { result: undefined, log: [userLog(UserManage.CREATE, await requireUser(tx, idx), null)] }
      }).catch((error: unknown) => {
        if (isRefused(error)) throw failure('Set ACC_DATABASE_OWNER_URL: only the owner adds system administrators.')
        throw error
      })
      return resultOf(id, password, `Created the system administrator ${id}.`)
    })
  },
}

/** Locks a system administrator's row. */
async function lockAdmin(tx: Tx, id: string): Promise<UserRow> {
  const found = await tx
    .selectFrom('users')
    .select(['idx', 'isAdmin'])
    .where('id', '=', id.toLowerCase())
    .forUpdate()
    .executeTakeFirst()
  if (found === undefined) throw failure(`There is no user "${id}".`)
  if (found.isAdmin === 0) throw failure(`"${id}" is not a system administrator: use the users screen of the console.`)
  return requireUser(tx, found.idx)
}

export const resetPassword: Command = {
  args: ['ID'],
  options: [],
  run(_values, [id = '']) {
    const env = readEnv(process.env)
    return withDatabase(env, async (db) => {
      const found = await findAccount(db.read, { id })
      const password = await passwordFor(db, env, found ?? { id, name: '', email: '' })
      const user = await changeAsOperator(db, async (tx) => {
        const before = await lockAdmin(tx, id)
        if (hasFlag(before.state, UserState.DISABLED))
          throw failure(`${before.id} is suspended: release it first, by "acc-admin admin release ${before.id}".`)
        const columns = { ...passwordColumns(password), loginFails: 0 }
        await insertFormerPassword(tx, before.idx)
        await updateUsers(tx, [before.idx], columns)
        await deleteAllCounts(tx)
        await announceEnd(tx, before)
        return { result: before, log: [userLog(UserManage.RESET_PW, { ...before, ...columns }, before)] }
      })
      return resultOf(user.id, password, `Reset the password of ${user.id}, whose sessions have ended.`)
    })
  },
}

async function announceEnd(tx: Tx, { idx, groupIdx }: UserRow): Promise<void> {
  await endSessionsOf(tx, { clock: systemClock }, idx)
  await notify(tx, { topic: 'users', idx, groupIdx })
}

/** Builds a command that changes one administrator. `work` returns the ID and the history. */
const changeCommand = (
  lineOf: (id: string) => string,
  work: (tx: Tx, id: string) => ReturnType<Parameters<typeof changeAsOperator<string>>[1]>,
): Command => ({
  args: ['ID'],
  options: [],
  run: (_values, [given = '']) =>
    withDatabase(readEnv(process.env), async (db) => {
      const id = await changeAsOperator(db, (tx) => work(tx, given))
      return { document: { id }, lines: [lineOf(id)] }
    }),
})

/** Whether an administrator can sign in: not suspended, with a valid password. */
const canSignIn = (admin: UserRow, now: Date): boolean =>
  !hasFlag(admin.state, UserState.DISABLED) &&
  hasFlag(admin.loginType, LoginType.DEFAULT) &&
  (admin.pwHash !== null || (admin.tmpPwExpireDT !== null && admin.tmpPwExpireDT > now))

/** Locks all administrators, and finds the one who leaves. Fails unless another one can sign in. */
async function lockLeavingAdmin(tx: Tx, id: string): Promise<UserRow> {
  const locked = await tx
    .selectFrom('users')
    .select('idx')
    .where('isAdmin', '=', 1)
    .orderBy('idx')
    .forUpdate()
    .execute()
  const leaving = await lockAdmin(tx, id)
  const idxes = locked.map(({ idx }) => idx).filter((idx) => idx !== leaving.idx)
  const others = await findUsers(tx, idxes)
  if (!others.some((other) => canSignIn(other, systemClock.now())))
    throw failure(`${leaving.id} is the last system administrator who can sign in: add another one first.`)
  return leaving
}

/** Stores a state, and resets the failed attempts. */
async function setState(tx: Tx, before: UserRow, state: number, type: UserManage) {
  const columns = { state, loginFails: 0, otpFails: 0 }
  await updateUsers(tx, [before.idx], columns)
  await announceEnd(tx, before)
  return { result: before.id, log: [userLog(type, { ...before, ...columns }, before)] }
}

export const resetOtp = changeCommand(
  (id) => `Removed the authenticator of ${id}, whose sessions have ended.`,
  async (tx, id) => {
    const before = await lockAdmin(tx, id)
    if (before.otpSecret === null) throw failure(`${before.id} has no authenticator.`)
    await updateUsers(tx, [before.idx], NO_OTP)
    await announceEnd(tx, before)
    return { result: before.id, log: [userLog(UserManage.RESET_TOTP, { ...before, ...NO_OTP }, before)] }
  },
)

export const suspend = changeCommand(
  (id) => `Suspended ${id}, whose sessions have ended.`,
  async (tx, id) => {
    const before = await lockLeavingAdmin(tx, id)
    if (hasFlag(before.state, UserState.DISABLED)) throw failure(`${before.id} is suspended already.`)
    return setState(tx, before, withFlag(before.state, UserState.DISABLED), UserManage.DISABLED)
  },
)

export const release = changeCommand(
  (id) => `Released ${id}.`,
  async (tx, id) => {
    const before = await lockAdmin(tx, id)
    if (!hasFlag(before.state, UserState.DISABLED)) throw failure(`${before.id} is not suspended.`)
    return setState(tx, before, withoutFlag(before.state, UserState.DISABLED), UserManage.ENABLED)
  },
)

export const remove = changeCommand(
  (id) => `Removed the account of ${id}, whose sessions have ended.`,
  async (tx, id) => {
    const before = await lockLeavingAdmin(tx, id)
    // A job of the server removes the files of canceled requests.
    const { log } = await deleteAccounts(tx, { clock: systemClock }, [before])
    return { result: before.id, log }
  },
)
