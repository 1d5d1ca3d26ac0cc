// One valid input for each call that names rows or a revision. The tests of foreign rows, of people and of revisions
// read them, so that a new call is written here once. A call that needs an input and has none does not compile.
import type { Api } from '@acc/contract'
import { DEFAULT_PROTECTION } from '@acc/contract/accountProtection'
import type { Client } from '@acc/contract/core/client'
import type { InputOf, Route } from '@acc/contract/core/route'
import type { TestApp } from '../app.ts'
import { buildDevice } from '../build/devices.ts'
import { buildPolicy } from '../build/policies.ts'
import type { CallName } from './callers.ts'

const NOWHERE = 999_999
/** What an input names; a test replaces those that it needs. */
export const NO_ROWS = {
  user: NOWHERE,
  /** `user`, and others that the caller may change. */
  users: [NOWHERE] as number[],
  group: NOWHERE,
  /** A group of the caller, to move people into. */
  target: NOWHERE,
  request: NOWHERE,
  requestFile: NOWHERE,
  policy: NOWHERE,
  session: NOWHERE,
  device: NOWHERE,
  authority: NOWHERE,
  web: NOWHERE,
  program: NOWHERE,
  bimServer: NOWHERE,
  bimException: NOWHERE,
  userImport: NOWHERE,
  absence: NOWHERE,
  /** The text that a change stores. */
  text: 'New',
}
export type Rows = typeof NO_ROWS

/** Builds what belongs to a person: an own policy, a session and a registered PC. */
export async function buildRowsOf({ app, as }: TestApp, user: { idx: number }) {
  const policy = await buildPolicy(app.db, { user })
  const device = await buildDevice(app, user)
  await as(user).session.find({})
  const sessions = app.db.read.selectFrom('sessions').select('idx').where('userIdx', '=', user.idx)
  const session = await sessions.executeTakeFirstOrThrow()
  return { user: user.idx, users: [user.idx], policy: policy.idx, session: session.idx, device: device.idx }
}

type RouteOf<Name> = Name extends `${infer D extends keyof Api}.${infer C}`
  ? C extends keyof Api[D]
    ? Extract<Api[D][C], Route>
    : never
  : never
/** The fields of an input; none of `{}`, which takes any text as the name of one. */
type Fields<I> = string extends keyof I ? never : keyof I
type Required<I> = { [K in Fields<I>]-?: undefined extends I[K] ? never : K }[Fields<I>]
type IdxField = 'idx' | 'idxes' | `${string}Idx` | `${string}Idxes` | 'fileEximport'
type Reachable<R extends Route> = R['access'] extends 'public' | 'admin' | 'agent' | 'bimServer' ? false : true
type NamesRows<R extends Route> = Extract<Required<InputOf<R>>, IdxField> extends never ? false : Reachable<R>
type HasRevision<R extends Route> = 'revision' extends Fields<InputOf<R>> ? true : false
/** The calls that need a sample, without the one that ends a session of one's own. */
type Needed = Exclude<
  { [N in CallName]: true extends NamesRows<RouteOf<N>> | HasRevision<RouteOf<N>> ? N : never }[CallName],
  'session.end'
>
type Sample<N> = (at: Rows) => InputOf<RouteOf<N>>

const LEVELS = { policy: 0, user: 1, fileImportApprove: 0, fileExportApprove: 0, log: 0 } as const

export const SAMPLES: { [N in Needed]: Sample<N> } & { [N in CallName]?: Sample<N> } = {
  'users.find': ({ user }) => ({ idx: user }),
  'users.findRemoval': ({ user }) => ({ idxes: [user] }),
  'users.create': ({ group, text }) => ({
    id: 'newcomer',
    name: text,
    email: 'new@example.com',
    groupIdx: group,
    isMortal: 0,
  }),
  'users.update': ({ user, text }) => ({ idx: user, name: text }),
  'users.setDisabled': ({ user }) => ({ idx: user, state: 2 }),
  'users.setDisabledOfMany': ({ users }) => ({ idxes: users, state: 2 }),
  'users.setExpiry': ({ users }) => ({ idxes: users, isMortal: 0 }),
  'users.resetPw': ({ user }) => ({ idx: user }),
  'users.resetTotpSecret': ({ user }) => ({ idx: user }),
  'users.resetLicense': ({ user }) => ({ idx: user }),
  'users.setIsSinglePC': ({ user }) => ({ idx: user, isSinglePC: 1 }),
  'users.setIsMyPolicy': ({ user, text }) => ({ idx: user, isMyPolicy: 1, endDT: null, endReason: text }),
  'users.move': ({ users, target }) => ({ idxes: users, groupIdx: target }),
  'users.remove': ({ users }) => ({ idxes: users }),
  'users.endSession': ({ user, session }) => ({ idx: user, sessionIdx: session }),
  'sso.setUserPolicy': ({ users }) => ({ userIdxes: users, loginType: 2 }),
  'loginPolicy.addOtpExceptions': ({ users }) => ({ userIdxes: users, useOtp: 0 }),
  'loginPolicy.setPasswordRules': () => ({ positiveRules: [], negativeRules: [] }),
  'loginPolicy.setProtection': () => ({ ...DEFAULT_PROTECTION, dormantDays: 90 }),
  'groups.findRemoval': ({ group }) => ({ idx: group }),
  'groups.create': ({ group, text }) => ({ parentIdx: group, name: text }),
  'groups.update': ({ group, text }) => ({ idx: group, name: text }),
  'groups.remove': ({ group }) => ({ idx: group }),
  'groups.setIsMyPolicy': ({ group }) => ({ idx: group, isMyPolicy: 0 }),
  'groups.reorder': ({ group }) => ({ orderedIdxes: [group] }),
  'shortcuts.updateWeb': ({ web, text }) => ({ idx: web, name: text, url: 'https://new.example.com' }),
  'shortcuts.updateProgram': ({ program, text }) => ({ idx: program, name: text, path: 'C:\\new.exe' }),
  'policies.find': ({ group }) => ({ ownerIdx: group, ownerType: 0 }),
  'policies.findOrigins': ({ user }) => ({ ownerIdx: user, ownerType: 1 }),
  'policies.findOwnerName': ({ user }) => ({ ownerIdx: user, ownerType: 1 }),
  'policies.searchUsers': ({ group }) => ({ groupIdx: group }),
  'policies.update': ({ policy }) => ({ idx: policy, print: 1 }),
  'authorities.update': ({ authority, group, text }) => ({
    idx: authority,
    name: text,
    description: '',
    ...LEVELS,
    groupIdxes: [group],
  }),
  'authorities.setMembers': ({ authority, users }) => ({ idx: authority, userIdxes: users }),
  'absences.create': ({ user }) => ({
    userIdx: user,
    substituteIdx: user,
    startDay: '2026-01-01',
    endDay: '2026-01-01',
    reason: 'leave',
  }),
  'absences.find': ({ user }) => ({ userIdx: user }),
  'absences.searchSubstitutes': ({ user }) => ({ userIdx: user }),
  'absences.end': ({ absence }) => ({ idx: absence }),
  'requests.find': ({ request }) => ({ idx: request }),
  'requests.decide': ({ request }) => ({ idx: request, state: 1 }),
  'requests.rejectMany': ({ request, text }) => ({ requests: [{ idx: request, step: 1 }], purpose: text }),
  'requests.download': ({ request }) => ({ fileEximport: request }),
  'requests.preview': ({ request, requestFile }) => ({ fileEximport: request, file: requestFile }),
  'urgentExports.review': ({ request }) => ({ idx: request, decision: 1 }),
  'urgentExports.confirm': ({ request }) => ({ idxes: [request] }),
  'history.find': ({ request }) => ({ log: 'fileEximport', idx: request }),
  'bim.updateServer': ({ bimServer, text }) => ({ idx: bimServer, pcName: text, ip: '127.0.0.1' }),
  'bim.updateException': ({ bimException }) => ({ idx: bimException, ip: '10.9.0.2' }),
  'userImports.find': ({ userImport }) => ({ idx: userImport }),
  'userImports.searchRows': ({ userImport }) => ({ importIdx: userImport }),
  'userImports.apply': ({ userImport }) => ({ idx: userImport }),
  'userImports.pause': ({ userImport }) => ({ idx: userImport }),
  'userImports.cancel': ({ userImport }) => ({ idx: userImport }),
  'configTexts.setSiteConfig': () => ({ siteConfig: '<new/>' }),
  'configTexts.setClientPolicy': () => ({ clientPolicy: '{"b": 2}' }),
}

/** Returns the input of a call; fails with the name of a call that has none. */
export function inputOf(name: CallName, at: Partial<Rows>): Record<string, unknown> {
  const sample = SAMPLES[name]
  if (sample === undefined) throw new Error(`server/test/access/samples.ts has no input of ${name}`)
  return sample({ ...NO_ROWS, ...at })
}

/** Returns whether the input of a call names one of the rows. */
export const hasRow = (name: CallName, rows: Partial<Rows>): boolean =>
  SAMPLES[name] !== undefined && JSON.stringify(inputOf(name, {})) !== JSON.stringify(inputOf(name, rows))

/** Makes a call by its name. */
export function callByName(calls: Client<Api>, name: CallName, input: object): Promise<unknown> {
  const made = calls as unknown as Record<string, Record<string, (input: object) => Promise<unknown>>>
  const [domain = '', call = ''] = name.split('.')
  const method = made[domain]?.[call]
  if (method === undefined) throw new Error(`there is no call ${name}`)
  return method(input)
}
