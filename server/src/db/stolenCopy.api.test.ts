// What somebody reads in a stolen copy of the database and the files, and what a copy that is restored opens again
// (docs/operations/backup.md).
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ADMIN_PASSWORD, startTestApp } from '../../test/app.ts'
import { buildGroups } from '../../test/build/groups.ts'
import { buildRequest } from '../../test/build/requests.ts'
import { buildUser } from '../../test/build/users.ts'
import { callsWithToken, openDesktopClient } from '../../test/desktopClients.ts'
import { mailsTo, temporaryPasswordIn } from '../../test/mails.ts'
import { registered, SECRET } from '../../test/otp.ts'
import { voidAccess } from '../backup/voidAccess.ts'
import { setMailServer } from '../domains/mails/mails.fixture.ts'

const testApp = await startTestApp()
const { app, owner, as, admin, baseUrl } = testApp
const { db } = app
const { sales } = await buildGroups(db, 'sales')
const employee = await buildUser(db, { group: sales })

/** Every row of every table, its bytes as text and in hexadecimal. */
async function dump(): Promise<string> {
  const tables = await sql<{ name: string }>`
    select quote_ident(relname) as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`.execute(owner)
  const parts = []
  for (const { name } of tables.rows) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.raw(name)}`.execute(owner)
    const bytes = rows.flatMap((row) => Object.values(row)).filter((value) => Buffer.isBuffer(value))
    parts.push(JSON.stringify(rows), ...bytes.flatMap((value) => [value.toString('latin1'), value.toString('hex')]))
  }
  return parts.join('\n')
}

test('a copy without the key shows no password, token, mailed secret, OTP key, BIM id or byte of a file', async () => {
  const pc = await openDesktopClient(testApp, employee)
  const { tmpToken } = await as(admin).session.createTmpToken({})
  const newcomer = { id: 'stolen.copy', name: '새 사람', email: 'stolen.copy@example.com', isMortal: 0 } as const
  await as(admin).users.create({ ...newcomer, groupIdx: sales.idx })
  const [mail] = await mailsTo(app, newcomer.email)
  const mailed = temporaryPasswordIn(mail?.text ?? '')
  await registered(app, employee)
  const mailServer = {
    serverAddress: 'mail.example.com',
    serverPort: 587,
    encrypt: 0,
    senderEmail: 'acc@example.com',
  } as const
  await setMailServer(app, { ...mailServer, id: 'acc', pw: 'Mail-pw-7!teal' })
  const { id: bimId } = await as(admin).bim.createServer({ pcName: 'BIM-1', ip: '10.1.2.3' })
  const content = 'the plan of the new engine, which only approvers may read'
  await buildRequest(app, employee, { files: [{ name: 'plan.txt', bytes: Buffer.from(content) }] })

  const secrets = [ADMIN_PASSWORD, pc.token, tmpToken, mailed, SECRET, 'Mail-pw-7!teal', bimId, content]
  expect(secrets.filter((secret) => secret.length < 10)).toEqual([])
  const rows = await dump()
  expect(rows).toContain(newcomer.email)
  const isFound = (text: string) => (secret: string) =>
    text.includes(secret) || text.includes(Buffer.from(secret).toString('hex'))
  expect(secrets.filter(isFound(rows))).toEqual([])

  const folder = join(app.env.dataDir, 'files')
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  expect(files.length).toBeGreaterThan(0)
  for (const { parentPath, name } of files)
    expect((await readFile(join(parentPath, name))).toString('latin1')).not.toContain(content)
})

test('a restored copy has no session and no token', async () => {
  const pc = await openDesktopClient(testApp, employee)
  const { tmpToken } = await as(admin).session.createTmpToken({})
  expect(await callsWithToken(baseUrl, pc.token).agent.findPolicy({})).toBeDefined()
  await db.write.transaction().execute((tx) => voidAccess(tx, app.clock))
  await expect(callsWithToken(baseUrl, pc.token).agent.findPolicy({})).rejects.toMatchObject({ error: 'SESSION_ENDED' })
  await expect(testApp.anonymous.session.consumeTmpToken({ tmpToken })).rejects.toMatchObject({ error: 'NO_SESSION' })
  expect(await db.read.selectFrom('sessions').select('idx').where('endDT', 'is', null).execute()).toEqual([])
})
