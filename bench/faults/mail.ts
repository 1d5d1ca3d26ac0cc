// The mail server refuses, says nothing, sends something else or breaks off, and is sound again.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { MailState } from '@acc/contract/labels/mails'
import { startSmtpServer } from '@acc/server/src/mail/smtp.fixture.ts'
import { type Drill, until } from '../ha/drill.ts'
import { areMailsSent, demand } from '../ha/judge.ts'
import { withDatabase } from '../upgrade/dataDir.ts'
import type { Part } from './main.ts'
import { meanwhile } from './meanwhile.ts'

const LASTS = 10_000

type ReceivedMails = Awaited<ReturnType<typeof startSmtpServer>>['received']
type Fault = (client: Socket, mailServer: Socket) => void
const FAULTS: Record<string, Fault> = {
  'refuses every connection': (client) => client.end('421 4.3.2 drill.example is closing\r\n'),
  'resets every connection': (client) => client.resetAndDestroy(),
  'says nothing': () => undefined,
  'sends random bytes': (client) => client.end(randomBytes(64 * 1024)),
  'sends a line without an end': (client) => {
    const drip = setInterval(() => client.write('220-'.repeat(4096)), 10)
    client.once('close', () => clearInterval(drip))
  },
  'breaks off within the mail': (client, mailServer) => {
    mailServer.pipe(client)
    client.on('data', (part) => {
      if (part.includes('Subject:')) client.destroy()
      else mailServer.write(part)
    })
  },
}

/** A mail server behind a port on which it can fail. */
async function startFailing(drill: Drill) {
  const smtp = await startSmtpServer()
  drill.atEnd(smtp.stop)
  const state: { fault: Fault | undefined } = { fault: undefined }
  const open = new Set<Socket>()
  const door = createServer((client) => {
    const mailServer = connect(smtp.settings.serverPort, '127.0.0.1')
    for (const socket of [client, mailServer]) {
      open.add(socket)
      socket.on('error', () => socket.destroy())
      socket.once('close', () => open.delete(socket))
    }
    client.once('close', () => mailServer.destroy())
    if (state.fault) state.fault(client, mailServer)
    else client.pipe(mailServer).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(door, 'listening')
  drill.atEnd(async () => {
    door.close()
    for (const socket of open) socket.destroy()
  })
  /** Ends the connections; new ones meet this fault, or none. */
  const turn = (fault?: Fault) => {
    state.fault = fault
    for (const socket of open) socket.destroy()
  }
  return { received: smtp.received, port: (door.address() as AddressInfo).port, turn }
}

/** Milliseconds until the tries that are under way have failed. */
const SETTLED = 2_000
/** Brings the next tries forward: their pauses grow to hours. */
export async function tryAllNow(dataDir: string): Promise<void> {
  await wait(SETTLED)
  await withDatabase(dataDir, (db) =>
    db.write
      .updateTable('mails')
      .set({ nextTryDT: new Date() })
      .where('nextTryDT', 'is not', null)
      .where('tries', '>', 0)
      .execute(),
  )
}

/** Waits until all mails are sent, and compares them with those that arrived: each once, none was given up. */
export async function judgeArrivals(dataDir: string, received: ReceivedMails): Promise<void> {
  const rows = await withDatabase(dataDir, async (db) => {
    await until('all mails are sent', () => areMailsSent(db), 400)
    return db.read.selectFrom('mails').select(['receiver', 'state']).execute()
  })
  const arrived = received.flatMap(({ to }) => to)
  const wrong = rows.filter(({ receiver }) => arrived.filter((one) => one === receiver).length !== 1)
  demand(
    wrong.length === 0 && arrived.length === rows.length,
    `of ${rows.length} mails ${wrong.length} did not arrive exactly once`,
  )
  demand(
    rows.every(({ state }) => state === MailState.SENT),
    'no mail was given up',
  )
}

export async function openMail(drill: Drill): Promise<Part> {
  const { received, port, turn } = await startFailing(drill)
  return {
    options: { env: { ACC_MAIL_URL: `smtp://127.0.0.1:${port}?from=acc@example.com&encrypt=none` } },
    run: async ({ node, load }, times) => {
      for (let at = 0; at < times; at++) {
        for (const [name, fault] of Object.entries(FAULTS)) {
          turn(fault)
          await meanwhile(load, `the mail server ${name}`, LASTS)
        }
        turn()
        const mended = performance.now()
        await tryAllNow(node.dataDir)
        await withDatabase(node.dataDir, (db) => until('all mails are sent', () => areMailsSent(db), 400))
        console.log(
          `     all mails were sent ${((performance.now() - mended) / 1000).toFixed(0)} s after it was sound again`,
        )
      }
      await load.end()
      await judgeArrivals(node.dataDir, received)
    },
  }
}
