// History rows about BIM settings: servers by PC name and address, never by their id, which is a secret.
import { BimManage } from '@acc/contract/labels/history'
import type { HistoryEntry } from '../../core/change.ts'
import { type Classes, isUnchanged, personValues, withOldValues } from '../../core/historyValues.ts'
import type { ExceptionRow, ServerRow } from './bim.queries.ts'
import type { TargetGroup, TargetUser } from './bim.targets.queries.ts'

const SERVER_CLASSES: Classes<ServerRow> = {
  idx: 'ignore',
  idHash: 'ignore',
  idSealed: 'ignore',
  pcName: 'track',
  ip: 'track',
  description: 'track',
  heartbeatDT: 'ignore',
  isOnline: 'ignore',
  revision: 'ignore',
}
const EXCEPTION_CLASSES: Classes<ExceptionRow> = {
  idx: 'ignore',
  ip: 'track',
  description: 'track',
  revision: 'ignore',
}

/** Whether a change leaves everything but the id of a server as it was. */
export const isUnchangedServer = (before: ServerRow, after: ServerRow): boolean =>
  isUnchanged(before, after, SERVER_CLASSES)
export const isUnchangedException = (before: ExceptionRow, after: ExceptionRow): boolean =>
  isUnchanged(before, after, EXCEPTION_CLASSES)

const NO_TARGET = { name: null, ip: null, description: null }
type Entry = HistoryEntry<'bimManage'>

const bimLog = (type: BimManage, subject: string, detail: Entry['detail'], subjectIdx: number | null): Entry => ({
  kind: 'bimManage',
  type,
  subject,
  subjectIdx,
  groupIdx: null,
  detail,
})

const serverColumns = ({ pcName, ip, description }: ServerRow) => ({ name: pcName, ip, description })

export const serverLog = (type: BimManage, server: ServerRow, before: ServerRow | null): Entry =>
  bimLog(
    type,
    server.pcName,
    withOldValues('target', serverColumns(server), before && serverColumns(before)),
    server.idx,
  )

const exceptionColumns = ({ ip, description }: ExceptionRow) => ({ name: null, ip, description })

export const exceptionLog = (type: BimManage, row: ExceptionRow, before: ExceptionRow | null): Entry =>
  bimLog(type, row.ip, withOldValues('target', exceptionColumns(row), before && exceptionColumns(before)), row.idx)

/** Names the target of an event about one of them. */
const onlyName = (targets: readonly { name: string }[]): string =>
  targets.length === 1 ? (targets[0]?.name ?? '') : ''

type Step = 'add' | 'remove'
const TARGET_EVENTS = { add: BimManage.ADD_TARGETS, remove: BimManage.REMOVE_TARGETS }
const isOldOf = (step: Step) => (step === 'add' ? 0 : 1)

export const userTargetsLog = (step: Step, users: readonly TargetUser[]): Entry =>
  bimLog(
    TARGET_EVENTS[step],
    onlyName(users),
    {
      ...withOldValues('target', NO_TARGET, null),
      users: users.map((user) => ({ userIdx: user.idx, ...personValues(user), isOld: isOldOf(step) })),
    },
    null,
  )

export const groupTargetsLog = (step: Step, groups: readonly TargetGroup[]): Entry =>
  bimLog(
    TARGET_EVENTS[step],
    onlyName(groups),
    {
      ...withOldValues('target', NO_TARGET, null),
      groups: groups.map((group) => ({
        groupIdx: group.idx,
        groupName: group.name,
        groupKey: group.key,
        isOld: isOldOf(step),
      })),
    },
    null,
  )

export const syncLog = (): Entry => bimLog(BimManage.SYNC, '', withOldValues('target', NO_TARGET, null), null)
