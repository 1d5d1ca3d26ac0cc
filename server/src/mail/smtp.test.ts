import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import tls from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { MailError } from './errors.ts'
import type { OutgoingMail } from './message.ts'
import { LOCAL_CERTIFICATE, startSmtpServer } from './smtp.fixture.ts'
import { type SmtpLimits, sendBySmtp } from './smtp.ts'

const PASSWORD = 'pw-of-the-mail'
const mail: OutgoingMail = {
  idx: 17,
  createDT: new Date('2026-11-21T04:03:02.001Z'),
  senderName: 'ACC',
  to: 'gildong@example.com',
  subject: '[ACC] 임시 비밀번호 안내 / Your temporary password',
  text: `임시 비밀번호: ${PASSWORD}\n`,
  html: `<p>임시 비밀번호: <b>${PASSWORD}</b></p>`,
}
const QUICK: SmtpLimits = { greeting: 300, silence: 300, all: 5_000 }

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const start = async (...options: Parameters<typeof startSmtpServer>) => {
  const server = await startSmtpServer(...options)
  closers.push(server.stop)
  return server
}
/** A server that is no SMTP server at all: it does with a connection what the test says. */
async function startRaw(serve: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    serve(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const settings = { serverAddress: '127.0.0.1', encrypt: 0, senderEmail: 'acc@example.com', id: '', pw: '' } as const
  return { ...settings, serverPort: port }
}
/** Responds to each command with a line, and disconnects at the first one without a line. `.` ends the text. */
const script = (socket: Socket, answers: Record<string, string>) => {
  let text = ''
  socket.write('220 ready\r\n')
  socket.on('data', (data) => {
    text += data.toString()
    const isText = text.startsWith('DATA\r\n') && text.length > 'DATA\r\n'.length
    if (isText && !text.endsWith('\r\n.\r\n')) return
    const answer = answers[isText ? '.' : text.slice(0, 4)]
    if (!text.startsWith('DATA') || isText) text = ''
    if (answer === undefined) socket.destroy()
    else socket.write(`${answer}\r\n`)
  })
}
const failureOf = async (sent: Promise<void>): Promise<MailError> => {
  const error = await sent.catch((thrown: unknown) => thrown)
  if (!(error instanceof MailError)) throw new Error('a MailError was expected', { cause: error })
  return error
}

test('a server that accepts gets the one receiver and the whole mail, in both forms', async () => {
  const server = await start()
  await sendBySmtp(server.settings, mail)
  expect(server.received).toMatchObject([{ from: 'acc@example.com', to: ['gildong@example.com'] }])
  const source = server.received[0]?.source ?? ''
  expect(source).toContain('From: ACC <acc@example.com>\r\n')
  expect(source).toContain('To: gildong@example.com\r\n')
  expect(source).toContain('Message-ID: <acc.17.1795233782001@example.com>\r\n')
  expect(source).toContain('Date: Sat, 21 Nov 2026 04:03:02 +0000\r\n')
  expect(source).toContain('Auto-Submitted: auto-generated\r\n')
  expect(source).toMatch(/Subject: =\?UTF-8\?/)
  expect(source).toContain('multipart/alternative')
})

test('no value makes a second receiver or another header', async () => {
  const server = await start()
  const others = [
    'a@x.kr,b@x.kr',
    'a@x.kr\r\nBcc: b@x.kr',
    'a@x.kr b@x.kr',
    '<a@x.kr>',
    'A <a@x.kr>',
    ' a@x.kr',
    'a@x.kr;',
  ]
  for (const to of others) {
    const error = await failureOf(sendBySmtp(server.settings, { ...mail, to }))
    expect(error).toMatchObject({ isPermanent: true, message: 'the receiver is not an email address' })
  }
  expect(server.received).toEqual([])
  const broken = 'x\r\nBcc: evil@example.com\r\n\r\nbody'
  await sendBySmtp(server.settings, { ...mail, subject: broken, senderName: broken })
  expect(server.received).toMatchObject([{ to: ['gildong@example.com'] }])
  expect(server.received[0]?.source).not.toMatch(/^(Bcc|body)/m)
})

test('a refused receiver is final, and the error says why', async () => {
  const server = await start({
    onRcptTo: (_address, _session, done) => done(Object.assign(new Error('no such\tmailbox'), { responseCode: 550 })),
  })
  const error = await failureOf(sendBySmtp(server.settings, mail))
  expect(error.isPermanent).toBe(true)
  expect(error.message).toMatch(/^the mail server refused the receiver: 550 .*no such mailbox$/)
})

test('a receiver who is only put off is tried again', async () => {
  const server = await start({
    onRcptTo: (_address, _session, done) => done(Object.assign(new Error('greylisted'), { responseCode: 451 })),
  })
  const error = await failureOf(sendBySmtp(server.settings, mail))
  expect(error.isPermanent).toBe(false)
  expect(error.message).toContain('451')
})

test('a refused sender waits for the administrator', async () => {
  const server = await start({
    onMailFrom: (_address, _session, done) => done(Object.assign(new Error('not yours'), { responseCode: 550 })),
  })
  expect(await failureOf(sendBySmtp(server.settings, mail))).toMatchObject({
    isPermanent: false,
    message: expect.stringMatching(/^the mail server refused the sender: 550 /),
  })
})

test('what a server says about the text is cut to its codes, since it may repeat it', async () => {
  const settings = await startRaw((socket) => {
    script(socket, {
      EHLO: '250 hello',
      MAIL: '250 ok',
      RCPT: '250 ok',
      DATA: '354 go on',
      '.': `554 5.7.1 spam: "${PASSWORD}"`,
      QUIT: '221 bye',
    })
  })
  expect(await failureOf(sendBySmtp(settings, mail, { limits: QUICK }))).toMatchObject({
    isPermanent: true,
    message: 'the mail server refused the mail: 554 5.7.1',
  })
})

test('a server that is not there, never greets, stalls, drips or disconnects ends within the limits', async () => {
  const absent = await start()
  await closers.pop()?.()
  expect((await failureOf(sendBySmtp(absent.settings, mail, { limits: QUICK }))).message).toBe(
    'the mail server could not be reached: ECONNREFUSED',
  )
  const mute = await startRaw(() => undefined)
  expect((await failureOf(sendBySmtp(mute, mail, { limits: QUICK }))).message).toBe(
    'the mail server did not answer in time',
  )
  const stalling = await start({ onData: (stream) => void stream.resume() })
  expect((await failureOf(sendBySmtp(stalling.settings, mail, { limits: QUICK }))).message).toBe(
    'the mail server did not answer in time',
  )
  const dripping = await startRaw((socket) => {
    const timer = setInterval(() => socket.write('220-'), 50)
    socket.on('close', () => clearInterval(timer))
  })
  const patient = { ...QUICK, greeting: 10_000, silence: 10_000, all: 500 }
  expect((await failureOf(sendBySmtp(dripping, mail, { limits: patient }))).message).toBe(
    'the mail server took too long',
  )
  const hangingUp = await startRaw((socket) => script(socket, { EHLO: '250 hello', MAIL: '250 ok' }))
  expect(await failureOf(sendBySmtp(hangingUp, mail, { limits: QUICK }))).toMatchObject({
    isPermanent: false,
    message: 'the mail server closed the connection',
  })
})

test('signing in: the right password passes, a wrong one waits for the administrator and is not revealed', async () => {
  const server = await start({
    allowInsecureAuth: true,
    authOptional: false,
    onAuth: ({ username, password }, _session, done) =>
      password === 'right' ? done(null, { user: username }) : done(new Error(`not ${password}`)),
  })
  await sendBySmtp({ ...server.settings, id: 'acc', pw: 'right' }, mail)
  expect(server.received).toHaveLength(1)
  const error = await failureOf(sendBySmtp({ ...server.settings, id: 'acc', pw: 'wr0ng' }, mail))
  expect(error.isPermanent).toBe(false)
  expect(error.message).toBe('the mail server refused the sign-in: 535')
})

test.each([
  { encrypt: 1, secure: true },
  { encrypt: 2, secure: false },
] as const)(
  'encryption $encrypt: an unknown certificate is refused, a trusted one accepted',
  async ({ encrypt, secure }) => {
    const server = await start({ secure })
    const settings = { ...server.settings, encrypt }
    const error = await failureOf(sendBySmtp(settings, mail))
    expect(error).toMatchObject({ isPermanent: false, message: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT') })
    expect(server.received).toEqual([])

    const usual = tls.getCACertificates('default')
    tls.setDefaultCACertificates([...usual, LOCAL_CERTIFICATE])
    try {
      await sendBySmtp(settings, mail)
    } finally {
      tls.setDefaultCACertificates(usual)
    }
    expect(server.received).toHaveLength(1)
  },
)

test('STARTTLS that the server does not offer is not done without', async () => {
  const server = await start({ hideSTARTTLS: true, disabledCommands: ['STARTTLS', 'AUTH'] })
  const error = await failureOf(sendBySmtp({ ...server.settings, encrypt: 2, id: 'acc', pw: 'secret' }, mail))
  expect(error.message).toMatch(/^no encrypted connection to the mail server/)
  expect(server.received).toEqual([])
})
