// Stored scripts: payloads in every text that people can store, then every screen of the menu with all its parts.
// Nothing runs, nothing becomes an element, nothing is wider than its place, and no page reports anything (test.ts). A
// text of the contract that is neither in `store` nor in a sample of a call about a person (samples.ts) fails.
import { createHash, randomUUID } from 'node:crypto'
import { ApiError } from '@acc/contract/core/client'
import { DirectoryEncryption, GroupBy, SyncKind } from '@acc/contract/labels/userImports'
import { NewPasswordRule } from '@acc/contract/loginPolicy'
import { LoopbackException, NetworkException } from '@acc/contract/policyExceptions'
import type { Page } from '@playwright/test'
import { startSmtpServer } from '../server/src/mail/smtp.fixture.ts'
import { CALLS } from '../server/test/access/callers.ts'
import { callByName, inputOf, NO_ROWS, type Rows, SAMPLES } from '../server/test/access/samples.ts'
import { collectSentTexts, findStoredTexts } from '../server/test/storedTexts.ts'
import type { AccServer } from './accServer.ts'
import { addPerson, PASSWORD, ROOT } from './arrange.ts'
import { eachPart, eachScreen, overflowing } from './eachScreen.ts'
import { type DesktopClient, requestExport, requestFiles, signInPc } from './requests.ts'
import { enter, enterAt } from './screens.ts'
import { expect, testOnOwnServer } from './test.ts'

const test = testOnOwnServer()
const REQUESTER = { id: 'payload.requester', password: PASSWORD }

const IFRAME = '<iframe src=//evil.example>'
/**
 * One of each kind: elements, ends of attributes and of elements, addresses, references, templates, formats, and names
 * that every object has. The newest, which lists show first and this test opens, ends an attribute and is an element.
 */
const PAYLOADS = [
  '<script>alert(1)</script>',
  "'-alert(1)-'",
  '"onfocus="alert(1)"autofocus="',
  'javascript:alert(1)',
  '</textarea><b onclick=alert(1)',
  IFRAME,
  '<!--',
  ']]><x',
  '&lt;b&gt;&#60;b&#62;',
  '{{name, 을/를}}$t(save)',
  '%s%d%00%n',
  '__proto__',
  'constructor',
  'null',
  '"><img src=x onerror=alert(1)>',
]
/** A text that takes none of these takes letters and digits alone. */
const HOSTILE = PAYLOADS.filter((payload) => /\W/.test(payload))

/** Texts that no screen shows. */
const UNSEEN = new Set([
  // Passwords and tokens, stored as a hash or sealed.
  ...['session.login.pw', 'session.consumeTmpToken.tmpToken', 'agent.login.pw'],
  ...['account.changePw.pw', 'account.changePw.newPw', 'account.registerOtp.pw', 'userSync.set.directory.bindPw'],
  // A test stores nothing.
  ...['bindDn', 'bindPw', 'base', 'filter'].map((field) => `userSync.test.directory.${field}`),
  // The history has them in the same column as `session.login.id`.
  ...['account.changePw.id', 'account.resetPw.id', 'account.registerOtp.id', 'agent.login.id'],
  // Compared with stored values.
  ...['account.findId.name', 'agent.login.deviceId', 'shortcuts.Web.revision', 'shortcuts.Program.revision'],
  // Addresses, whose format depends on another field.
  ...['policies..policyNetworkExceptions.ip1', 'policies..policyNetworkExceptions.ip2'],
  ...['policies..policyLocalNetworkExceptions.ip1', 'policies..policyLocalNetworkExceptions.ip2'],
])

/** Stores a text where its rule allows it; returns whether it did. */
async function offer(storing: () => Promise<unknown>): Promise<boolean> {
  try {
    await storing()
    return true
  } catch (error) {
    if (error instanceof ApiError && error.error === 'INVALID_INPUT') return false
    throw error
  }
}

/** Returns the inputs of the calls that store a text about a person, whose rows are given. */
const textsOf = (rows: Partial<Rows>, text: string) =>
  (Object.keys(SAMPLES) as (keyof typeof SAMPLES)[])
    .map((name) => ({ name, input: inputOf(name, { ...rows, text }), json: JSON.stringify(inputOf(name, rows)) }))
    .filter(({ input, json }) => JSON.stringify(input) !== json && !json.includes(String(NO_ROWS.user)))

type Requester = { pc: DesktopClient; rows: Partial<Rows>; approvers: readonly [{ idx: number }, { idx: number }] }

/** Stores one payload in every text; returns how many texts took it. */
async function store({ admin, baseUrl }: AccServer, { pc, rows, approvers }: Requester, payload: string, at: number) {
  const levels = { policy: 1, user: 0, fileExportApprove: 1, fileImportApprove: 0, log: 0 } as const
  const described = { description: payload, groupIdxes: [ROOT], userIdxes: [], ...levels }
  const sha256 = createHash('sha256').update('').digest('hex')
  const file = (name: string) => ({ name, size: 0, sha256 })
  const request = (purpose: string, name: string) => pc.requests.create({ type: 1, purpose, files: [file(name)] })
  const newUser = { id: `payload.${at}`, email: `payload.${at}@example.com`, groupIdx: ROOT, isMortal: 0 } as const
  const blockDT = new Date().toISOString()
  const except = ({ idx }: { idx: number }) =>
    admin.loginPolicy.addOtpExceptions({ userIdxes: [idx], useOtp: at % 2 === 0 ? 0 : 1 })
  const offers = [
    ...textsOf(rows, payload).map(
      ({ name, input }) =>
        () =>
          callByName(admin, name, input),
    ),
    () => admin.groups.create({ parentIdx: ROOT, name: payload, key: `group ${payload}` }),
    () => admin.groups.create({ parentIdx: ROOT, name: `group ${at}`, description: payload }),
    () => admin.authorities.create({ name: payload, ...described }),
    () => admin.authorities.create({ name: `authority ${at}`, ...described }),
    async () => {
      const [{ idx }] = approvers
      const ends = [{ userIdx: idx, endDT: null, endReason: payload }]
      const authority = { ...described, name: `ends ${at}`, description: '', userIdxes: [idx], ends }
      const made = await admin.authorities.create(authority)
      await admin.authorities.setMembers({ idx: made.idx, userIdxes: [idx], ends })
    },
    async () => {
      // A password of a user is hashed, which is slow: one user has the text in three places.
      const { idx } = await admin.users.create({ ...newUser, name: payload })
      await except({ idx })
      await admin.users.update({ idx, key: payload })
    },
    () => request(payload, `a${payload.replace(/[\\/]/g, '-')}.txt`),
    async () => {
      const idx = await requestExport(pc, payload, { [`${at}.txt`]: 'content' })
      if (at % 2 === 0) await admin.requests.decide({ idx, state: 1, purpose: payload })
      else await admin.requests.rejectMany({ requests: [{ idx, step: 1 }], purpose: payload })
    },
    async () => {
      const reason = `${payload} ${'.'.repeat(20)}`
      const idx = await requestFiles(pc, 1, 'urgent', { [`${at}.txt`]: 'content' }, reason)
      if (at % 2 === 0) await admin.urgentExports.review({ idx, decision: 0, purpose: payload })
      else await admin.urgentExports.confirm({ idxes: [idx], purpose: payload })
    },
    () =>
      pc.networkBlocks.report({
        batchId: randomUUID(),
        blocks: [{ type: 0, targetIp: payload, blockDT, processName: payload }],
      }),
    () => signInPc(baseUrl, REQUESTER, payload, `pc-${at % 3}`),
    () => {
      const [{ idx: userIdx }, { idx: substituteIdx }] = approvers
      const day = new Date(Date.now() + at * 86_400_000).toISOString().slice(0, 10)
      return admin.absences.create({ userIdx, substituteIdx, startDay: day, endDay: day, reason: payload })
    },
    () => admin.shortcuts.createWeb({ name: payload, url: `https://example.com/${at}` }),
    () => admin.shortcuts.createProgram({ name: payload, path: `C:\\programs\\${at}.exe` }),
    () => admin.bim.createServer({ pcName: payload, ip: `10.0.0.${at}`, description: payload }),
    () => admin.bim.createException({ ip: `10.0.1.${at}`, description: payload }),
    () =>
      fetch(`${baseUrl}/Account/Login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
        body: JSON.stringify({ id: payload, pw: payload }),
      }),
  ]
  return (await Promise.all(offers.map(offer))).filter((isAccepted) => isAccepted).length
}

/** Has no place to wrap. */
const LONG = '가'.repeat(200)

/** Stores the texts about a person once more, each as long as its schema accepts. */
async function storeLongest({ admin }: AccServer, rows: Partial<Rows>): Promise<void> {
  for (const { name } of textsOf(rows, LONG)) {
    const schema = CALLS.find((call) => call.name === name)?.route.input
    const inputs = Array.from(LONG, (_, at) => inputOf(name, { ...rows, text: LONG.slice(at) }))
    const longest = inputs.find((input) => schema?.safeParse(input).success)
    if (longest !== undefined) await callByName(admin, name, longest)
  }
}

/** Stores the payloads in texts and lists of the complete site. */
async function storeOnce({ admin }: AccServer, policyIdx: number): Promise<void> {
  const [first = '', ...others] = PAYLOADS
  // Any password has an optional part.
  const positiveRules = [{ name: first, reg: `(?:${first})?` }]
  const rules = others
    // Two repetitions in a row could run long.
    .filter((text) => !text.includes('*'))
    .map((text) => ({ name: text, reg: text }))
    .filter((rule) => NewPasswordRule.safeParse(rule).success)
  await admin.loginPolicy.setPasswordRules({ positiveRules, negativeRules: rules })
  const network = { type: 0, ip2: '', port: 0, access: 0 } as const
  const exceptions = PAYLOADS.map((description, at) => ({
    ...network,
    idx: -1 - at,
    description,
    ip1: `host${at}.example.com`,
    endDT: null,
    endReason: description,
  })).filter((exception) => NetworkException.safeParse(exception).success)
  const loopback = PAYLOADS.map((text, at) => ({ idx: -1 - at, description: text, processName: text })).filter(
    (exception) => LoopbackException.safeParse(exception).success,
  )
  expect(Math.min(rules.length, exceptions.length, loopback.length)).toBeGreaterThan(4)
  await admin.policies.update({
    idx: policyIdx,
    policyNetworkExceptions: exceptions,
    policyLocalNetworkExceptions: exceptions,
    policyLoopbackExceptions: loopback,
  })
  const text = PAYLOADS.join('\n')
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(']]>', ']]&gt;')
  for (const number of [1, 2]) {
    await admin.configTexts.setClientPolicy({ clientPolicy: JSON.stringify({ number, text }) })
    await admin.configTexts.setSiteConfig({ siteConfig: `<site number="${number}">${escaped}</site>` })
  }
}

/** Stores a payload as the sign-in name of the mail server, which takes any. From then on mail leaves the outbox. */
async function storeMailServer({ admin }: AccServer): Promise<{ stop(): Promise<void> }> {
  const smtp = await startSmtpServer({
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(null, { user: 'any' }),
  })
  const settings = { ...smtp.settings, encrypt: 0 as const, id: PAYLOADS[1] ?? '', pw: PAYLOADS[0] ?? '' }
  await admin.mailServer.test(settings)
  await admin.mailServer.set(settings)
  return smtp
}

/** Stores payloads in the fields of a directory, whose filter has to be one. */
const storeSync = ({ admin }: AccServer): Promise<unknown> =>
  admin.userSync.set({
    kind: SyncKind.DIRECTORY,
    groupIdx: ROOT,
    options: { addsGroups: 0, adopts: 0, mailsPasswords: 0 },
    everyHours: 0,
    hour: 0,
    directory: {
      serverAddress: 'ldap.example.com',
      serverPort: 0,
      encrypt: DirectoryEncryption.LDAPS,
      authorities: '',
      bindDn: `cn=${PAYLOADS[0]}`,
      bindPw: 'secret',
      base: `ou=${IFRAME}`,
      filter: `(cn=${IFRAME})`,
      groupBy: GroupBy.FIXED,
      attributes: { key: 'entryUUID', id: 'uid', name: 'cn', email: 'mail', group: '', expireDT: '' },
    },
  })

/** What only a payload can have made: elements, handlers and addresses that no screen of ours has. */
const injected = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const foreign =
      'iframe, base, main style, main script, body > style, [src="x"], [action*="evil"], [href^="javascript:" i]'
    const withHandler = [...document.querySelectorAll('*')].filter((element) =>
      element.getAttributeNames().some((name) => name.startsWith('on')),
    )
    return [...document.querySelectorAll(foreign), ...withHandler].map((element) => element.outerHTML.slice(0, 100))
  })

test('payloads in every stored text are text on every screen', async ({ page, server }) => {
  test.setTimeout(180_000)
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  const { idx } = await addPerson(server, REQUESTER.id, PAYLOADS[0] ?? '')
  const { idx: policyIdx } = await server.admin.policies.find({ ownerIdx: ROOT, ownerType: 0 })
  await server.admin.policies.update({ idx: policyIdx, fileExport: 2, urgentExport: 1 })
  const pc = await signInPc(server.baseUrl, REQUESTER, `PC ${PAYLOADS[1]}`)
  const [device] = (await server.admin.users.find({ idx })).usingDevices
  const rows = { user: idx, users: [idx], device: device?.idx }
  const approvers = [
    await addPerson(server, 'payload.absent', 'Absent'),
    await addPerson(server, 'payload.substitute', 'Substitute'),
  ] as const
  const levels = { policy: 0, user: 0, fileExportApprove: 2, fileImportApprove: 0, log: 0 } as const
  const userIdxes = approvers.map(({ idx }) => idx)
  await server.admin.authorities.create({ name: 'Approvers', groupIdxes: [ROOT], userIdxes, ...levels })
  const { sent, result: smtp } = await collectSentTexts(HOSTILE, async () => {
    for (const [at, payload] of PAYLOADS.entries())
      expect(await store(server, { pc, rows, approvers }, payload, at), payload).toBeGreaterThanOrEqual(8)
    await storeLongest(server, rows)
    await storeOnce(server, policyIdx)
    await storeSync(server)
    return storeMailServer(server)
  })
  expect(findStoredTexts(HOSTILE).filter((text) => !sent.has(text) && !UNSEEN.has(text))).toEqual([])

  // Two panes have the least room at this width.
  await page.setViewportSize({ width: 1024, height: 768 })
  await enter(page)
  const seen = new Set<string>()
  await eachScreen(page, async (title) => {
    await eachPart(page, async (part) => {
      expect(await injected(page), `${title} ${part}`).toEqual([])
      expect(await overflowing(page), `${title} ${part}`).toEqual([])
      const text = await page.getByRole('main').textContent()
      for (const payload of PAYLOADS) if (text?.includes(payload)) seen.add(payload)
    })
  })
  await enterAt(page, `users/${idx}`)
  await expect(page.getByRole('main').getByText(LONG.slice(0, 30)).first()).toBeVisible()
  expect([await injected(page), await overflowing(page)]).toEqual([[], []])
  await smtp.stop()
  expect(dialogs).toEqual([])
  expect(PAYLOADS.filter((payload) => !seen.has(payload))).toEqual([])
})
