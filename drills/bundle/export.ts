// The first sign-in to the first approved export: people, policy and approval by calls, the employee by acc-client.
import { randomBytes } from 'node:crypto'
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Api, api } from '@acc/contract'
import { type Client, createClient } from '@acc/contract/core/client'
import { FileExport } from '@acc/contract/labels/policies'
import { signIn as signInTo } from '@acc/server/test/signIn.ts'
import { ACCOUNT, expectThat, type Host } from './host.ts'

type Calls = Client<Api>

const ADMIN_PASSWORD = 'Adm1n!strator'
const PASSWORD = 'Qa9!zebra-Lm'
const LEVELS = { policy: 0, user: 0, fileExportApprove: 2, fileImportApprove: 0, log: 1 } as const

/** Signs in. Waits first: connections to a server that was stopped end a moment later. */
async function signIn(baseUrl: string, id: string, pw: string): Promise<Calls> {
  await wait(100)
  return signInTo(baseUrl, id, pw)
}

/** Replaces the first password of the administrator, and signs in. */
export async function replaceFirstPassword(baseUrl: string, firstPassword: string): Promise<Calls> {
  await createClient(api, { baseUrl }).account.changePw({ id: 'admin', pw: firstPassword, newPw: ADMIN_PASSWORD })
  return signInAdmin(baseUrl)
}

export const signInAdmin = (baseUrl: string): Promise<Calls> => signIn(baseUrl, 'admin', ADMIN_PASSWORD)

async function temporaryPassword(admin: Calls, receiver: string): Promise<string> {
  for (const end = Date.now() + 20_000; Date.now() < end; await wait(100)) {
    const [mail] = (await admin.mails.search({ receiver })).items
    const text = mail?.isInOutbox === 1 ? (await admin.mails.find({ idx: mail.idx })).text : ''
    const password = /^임시 비밀번호: (\S+)$/m.exec(text ?? '')?.[1]
    if (password !== undefined) return password
  }
  throw new Error(`no mail to ${receiver}`)
}

async function makePerson(admin: Calls, id: string, groupIdx: number): Promise<number> {
  const email = `${id}@example.com`
  const { idx } = await admin.users.create({ id, name: id, email, groupIdx, isMortal: 0 })
  await admin.account.changePw({ id, pw: await temporaryPassword(admin, email), newPw: PASSWORD })
  return idx
}

/** Exports a file and approves the request; returns it. */
export async function exportFile(host: Host, version: string, baseUrl: string, admin: Calls): Promise<number> {
  await admin.licenses.chooseEvaluation({})
  await admin.mails.chooseOutbox({})
  const { idx: group } = await admin.groups.create({ parentIdx: 1, name: '설계1팀' })
  await admin.groups.setIsMyPolicy({ idx: group, isMyPolicy: 1 })
  const { idx: policy } = await admin.policies.find({ ownerIdx: group, ownerType: 0 })
  await admin.policies.update({ idx: policy, fileExport: FileExport.APPROVAL })
  await makePerson(admin, 'hong.gildong', group)
  const lead = await makePerson(admin, 'park.lead', group)
  await admin.authorities.create({ name: '반출 승인', groupIdxes: [group], userIdxes: [lead], ...LEVELS })

  const desk = join(host.folder, 'desk')
  mkdirSync(desk)
  const file = join(desk, '설계 도면 (최종).dwg')
  writeFileSync(file, randomBytes(3 * 1024 * 1024 + 17))
  for (const path of [desk, file]) chownSync(path, ACCOUNT.uid, ACCOUNT.gid)
  const client = (...args: string[]) => {
    const options = ['client', '--server', baseUrl, '--state', join(desk, 'state.json'), '--json', ...args]
    const { status, out } = host.acc(version, options, `${PASSWORD}\n`)
    expectThat(`acc-client ${args[0]}`, status === 0, out)
    return JSON.parse(out)
  }
  client('login', 'hong.gildong', '--password-stdin')
  const { idx } = client('request', '--purpose', '고객 전달', file)
  const manager = await signIn(baseUrl, 'park.lead', PASSWORD)
  await manager.requests.decide({ idx, state: 1, purpose: 'ok' })
  client('download', String(idx), '--to', join(desk, 'approved'))
  const saved = readFileSync(join(desk, 'approved', '설계 도면 (최종).dwg'))
  expectThat('the approved file is the one that was sent', saved.equals(readFileSync(file)))
  return idx
}
