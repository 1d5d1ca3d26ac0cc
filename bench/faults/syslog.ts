// A real rsyslog receives the history over TLS, is away for a while, and has all of it afterwards.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { SettingManage } from '@acc/contract/labels/history'
import { insertHistory, SYSTEM } from '@acc/server/src/core/change.ts'
import { settingLog } from '@acc/server/src/core/settingLog.ts'
import type { Database } from '@acc/server/src/db/open.ts'
import { LOCAL_CERTIFICATE, LOCAL_KEY } from '@acc/server/src/mail/smtp.fixture.ts'
import { freePort } from '@acc/server/test/process.ts'
import { type Drill, type DrillProcess, findPrograms, until } from '../ha/drill.ts'
import { demand } from '../ha/judge.ts'
import { withDatabase } from '../upgrade/dataDir.ts'
import type { Part } from './main.ts'
import { meanwhile } from './meanwhile.ts'

/** Milliseconds for which it is away: rows go out once a minute. */
const AWAY = 90_000
/** Seconds in which everything has to be there afterwards. */
const WITHIN = 150

/** What receivers get wrong: line ends, marks of structured data, characters of two and four bytes, texts beyond a message. */
const TEXTS = [
  '홍길동 그룹 개발1팀',
  'two\nlines\r\nand\ttabs',
  '"quoted" ]and\\ [back]',
  '한글 😀 \u2028 끝',
  '값 '.repeat(20_000),
]

/** The receiver of docs/operations/history.md, with the certificate of the drill. */
const configuration = (folder: string, port: number) => `
module(load="imtcp" StreamDriver.Name="gtls" StreamDriver.Mode="1" StreamDriver.AuthMode="x509/name" PermittedPeer="localhost")
global(workDirectory="${folder}" DefaultNetstreamDriverCAFile="${folder}/cert.pem" DefaultNetstreamDriverCertFile="${folder}/cert.pem" DefaultNetstreamDriverKeyFile="${folder}/key.pem" maxMessageSize="16k")
input(type="imtcp" port="${port}" address="127.0.0.1")
if $app-name == "acc" then action(type="omfile" file="${folder}/acc.log" fileCreateMode="0600" template="RSYSLOG_SyslogProtocol23Format")
`

type Message = { id: string; subject: string | undefined; row: Record<string, unknown> }
/** A line as rsyslog wrote what it had understood. */
function messageOf(line: string): Message {
  const [, structure = '', text = '{}'] =
    /^<\d+>1 \S+ \S+ acc - \S+ (\[acc@32473(?: \w+="(?:\\.|[^"\\])*")*\]) (.*)$/.exec(line) ?? []
  const [, subject] = / subject="((?:\\.|[^"\\])*)"/.exec(structure) ?? []
  const row = JSON.parse(text) as Record<string, unknown>
  return { id: String(row.id), subject: subject?.replace(/\\(.)/g, '$1'), row }
}

const numberOf = ({ id }: Message) => Number(id.replace(/^\w+-/, ''))
const isInOrder = (messages: readonly Message[]) =>
  messages.every((message, at) => at === 0 || numberOf(message) > numberOf(messages[at - 1] ?? message))

/** Compares what arrived with the rows, field by field where nothing was shortened. */
async function judge(db: Database, lines: readonly string[]): Promise<void> {
  const messages = lines.map(messageOf)
  const first = new Map<string, Message>()
  for (const message of messages) if (!first.has(message.id)) first.set(message.id, message)
  const rows = await db.read.selectFrom('history').selectAll().orderBy('idx').execute()
  const { signIns } = await db.read
    .selectFrom('signIns')
    .select((eb) => eb.fn.countAll<number>().as('signIns'))
    .executeTakeFirstOrThrow()
  const missing = rows.filter(({ idx }) => !first.has(`history-${idx}`))
  const arrived = (kind: string) => [...first.values()].filter(({ id }) => id.startsWith(`${kind}-`))
  const wrong = rows.filter((row) => {
    const message = first.get(`history-${row.idx}`)
    if (message === undefined || message.row.isShortened === true) return false
    const { subject, actorId, actorName, detail, kind, ip } = message.row
    const own = {
      subject: row.subject,
      actorId: row.actorId,
      actorName: row.actorName,
      detail: row.detail,
      kind: row.kind,
      ip: row.ip,
    }
    return !isDeepStrictEqual({ subject, actorId, actorName, detail, kind, ip }, own)
  })
  demand(missing.length === 0, `${rows.length} rows of the history, ${missing.length} of them missing at rsyslog`)
  demand(arrived('signIn').length === signIns, `${arrived('signIn').length} of ${signIns} sign-ins arrived`)
  demand(wrong.length === 0, `${wrong.length} rows with another text, name or detail than the database has`)
  demand(isInOrder(arrived('history')), 'they arrived in their order')
  const again = messages.length - first.size
  const differing = messages.filter((message) => !isDeepStrictEqual(message, first.get(message.id)))
  demand(differing.length === 0, `${again} messages came again, ${differing.length} of them with another content`)
  const shortened = [...first.values()].filter(({ row }) => row.isShortened === true).length
  demand(shortened > 0, `${shortened} rows were shortened to 8,192 octets`)
  const readable = [...first.values()].map(({ subject }) => subject)
  const lost = TEXTS.slice(0, -1).filter((text) => !readable.includes(text.replace(/[\p{Cc}\u2028]/gu, '\ufffd')))
  demand(
    lost.length === 0,
    `subjects in UTF-8 with quotes and brackets: ${lost.length} of ${TEXTS.length - 1} not as sent`,
  )
}

/** Rows that are hard to send. */
const write = (db: Database) =>
  db.write.transaction().execute((tx) =>
    insertHistory(
      tx,
      SYSTEM,
      new Date(),
      TEXTS.map((text) => settingLog(SettingManage.SET_HOST_ADDRESS, text, { targetName: null, targetValue: text })),
    ),
  )

type Receiver = { start(): DrillProcess; lines(): string[]; env: Record<string, string> }

async function openReceiver(drill: Drill): Promise<Receiver> {
  const { rsyslogd } = findPrograms('rsyslogd')
  const folder = join(drill.root, 'rsyslog')
  const port = await freePort()
  const inFolder = (name: string) => join(folder, name)
  const [pem, key, log] = [inFolder('cert.pem'), inFolder('key.pem'), inFolder('acc.log')]
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(pem, LOCAL_CERTIFICATE)
  writeFileSync(key, LOCAL_KEY, { mode: 0o600 })
  writeFileSync(inFolder('rsyslog.conf'), configuration(folder, port))
  return {
    start: () => drill.run('rsyslog', rsyslogd, ['-n', '-i', 'NONE', '-f', inFolder('rsyslog.conf')]),
    lines: () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []).filter((line) => line !== ''),
    env: {
      ACC_SYSLOG_URL: `syslog+tls://localhost:${port}`,
      ACC_SYSLOG_CA: pem,
      ACC_SYSLOG_CERT: pem,
      ACC_SYSLOG_KEY: key,
    },
  }
}

/** Waits until rsyslog has the newest row of now. */
async function arrived(db: Database, { lines }: Receiver): Promise<void> {
  const newest = await db.read
    .selectFrom('history')
    .select((eb) => eb.fn.max('idx').as('idx'))
    .executeTakeFirstOrThrow()
  const id = `history-${newest.idx}`
  await until('the newest row is at rsyslog', async () => lines().some((line) => messageOf(line).id === id), WITHIN)
}

export async function openSyslog(drill: Drill): Promise<Part> {
  const receiver = await openReceiver(drill)
  return {
    options: { env: receiver.env },
    run: ({ node, load }, times) =>
      withDatabase(node.dataDir, async (db) => {
        let running = receiver.start()
        await write(db)
        for (let at = 0; at < times; at++) {
          await until('the first rows are there', async () => receiver.lines().length > 0, WITHIN)
          await running.kill('SIGTERM')
          await write(db)
          await meanwhile(load, `rsyslog is away for ${AWAY / 1000} s`, AWAY)
          running = receiver.start()
          const back = performance.now()
          await write(db)
          await arrived(db, receiver)
          console.log(`     it had everything ${((performance.now() - back) / 1000).toFixed(0)} s after it was back`)
        }
        await load.end()
        await arrived(db, receiver)
        await running.kill('SIGTERM')
        await judge(db, receiver.lines())
      }),
  }
}
