// What Ctrl K shows: matches of the typed text, or the last opened targets. Only what the viewer may open.
import { api } from '@acc/contract'
import { useQueries } from '@tanstack/react-query'
import { useGroupIndex } from '../../features/groups/exports.ts'
import { queryOf, useApiQuery } from '../../kit/api/query.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { isOpen } from '../../kit/layout/screen.ts'
import { bestRank, rankOf } from './jumpRank.ts'
import {
  AUTHORITIES,
  type JumpTarget,
  type Opens,
  USERS,
  useFixedTargets,
  useRecordTargets,
  useWhyTarget,
} from './jumpTargets.tsx'

/** A recent target whose name is still being read. */
type PendingTarget = { id: string; isPending: true }
type Name = 'recent' | 'requests' | 'screens' | 'commands' | 'groups' | 'authorities' | 'users' | 'why'
type JumpSection = { name: Name; targets: readonly (JumpTarget | PendingTarget)[] }

const AT_MOST = 6

/** Returns the matching targets, the best and shortest first, with the best rank. */
function search(targets: readonly JumpTarget[], typed: string, most: number) {
  const found = targets.flatMap((target) => {
    const rank = bestRank(target.names, target.words, typed)
    return rank === undefined ? [] : [{ target, rank }]
  })
  found.sort((one, other) => one.rank - other.rank || one.target.label.length - other.target.label.length)
  return { targets: found.slice(0, most).map(({ target }) => target), rank: found[0]?.rank ?? Number.POSITIVE_INFINITY }
}

const numberIn = (text: string): number | undefined => {
  const [, digits] = /^#? ?([1-9]\d{0,14})$/.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** `typed` is the text in the field; `rested` follows it after a pause and is sent to the server. */
function useFound(opens: Opens, typed: string, rested: string): JumpSection[] {
  const { can } = useViewer()
  const record = useRecordTargets(opens.screens)
  const whyTarget = useWhyTarget(opens.screens)
  const fixed = useFixedTargets(opens)
  const { rows } = useGroupIndex()
  const auths = useApiQuery(api.authorities.search, {}, { enabled: typed !== '' && record.has(AUTHORITIES) })
  const number = numberIn(rested)
  const request = useApiQuery(
    api.requests.find,
    { idx: number ?? 1 },
    { enabled: number !== undefined && can(api.requests.find.access) },
  )
  // A request that is being read again may have another state, and belong to another tab.
  const isRead = number !== undefined && !request.isFetching
  const filter = { rowsCount: AT_MOST, filterType: 0, id: rested, name: rested, email: rested } as const
  const users = useApiQuery(api.users.search, filter, {
    enabled: rested !== '' && record.has(USERS),
    keepsFormer: true,
  })
  if (typed === '') return []
  // Ranked first: an installation has thousands of groups.
  const groups = rows.flatMap(({ group }) => (rankOf(group.name, typed) === undefined ? [] : record.group(group)))
  // These are known at once, so that the best ones come first. Those of the server follow below them.
  const known = [
    { name: 'screens', ...search([...fixed.screens, ...fixed.parts], typed, AT_MOST) },
    { name: 'commands', ...search(fixed.commands, typed, AT_MOST) },
    { name: 'groups', ...search(groups, typed, AT_MOST) },
  ] as const
  const people = users.data?.items ?? []
  const found = people.map(record.user)
  const why = people.flatMap(whyTarget)
  // While the text changes, the former people who still match.
  const stillMatching = (targets: JumpTarget[]) =>
    rested === typed ? targets : search(targets, typed, AT_MOST).targets
  return [
    { name: 'requests', targets: isRead && request.data ? record.request(request.data) : [] },
    ...known.toSorted((one, other) => one.rank - other.rank),
    { name: 'authorities', targets: search((auths.data?.auths ?? []).map(record.authority), typed, AT_MOST).targets },
    { name: 'users', targets: stillMatching(found) },
    { name: 'why', targets: stillMatching(why) },
  ]
}

const RECORD_ID = /^(user|group|authority|request)(\d+)$/

/** Returns the recent targets that still exist and are open to the viewer. */
function useRecent(opens: Opens, ids: readonly string[]): JumpSection['targets'] {
  const { can } = useViewer()
  const record = useRecordTargets(opens.screens)
  const fixed = useFixedTargets(opens)
  const { find } = useGroupIndex()
  const idxesOf = (kind: string) =>
    ids.flatMap((id) => (RECORD_ID.exec(id)?.[1] === kind ? Number(id.slice(kind.length)) : []))
  const [userIdxes, requestIdxes] = [idxesOf('user'), idxesOf('request')]
  const hasUsers = record.has(USERS)
  const users = useQueries({
    queries: userIdxes.map((idx) => ({ ...queryOf(api.users.find, { idx }), enabled: hasUsers })),
  })
  const canRead = can(api.requests.find.access)
  const requests = useQueries({
    queries: requestIdxes.map((idx) => ({ ...queryOf(api.requests.find, { idx }), enabled: canRead })),
  })
  const hasAuthorities = record.has(AUTHORITIES) && idxesOf('authority').length > 0
  const auths = useApiQuery(api.authorities.search, {}, { enabled: hasAuthorities })
  const pending = (id: string, isLoading: boolean): PendingTarget[] => (isLoading ? [{ id, isPending: true }] : [])
  const targetsOf = (id: string): readonly (JumpTarget | PendingTarget)[] => {
    const [, kind, digits] = RECORD_ID.exec(id) ?? []
    const idx = Number(digits)
    if (kind === 'user') {
      const query = users[userIdxes.indexOf(idx)]
      return query?.data ? [record.user(query.data)] : pending(id, query?.isLoading === true)
    }
    if (kind === 'request') {
      const query = requests[requestIdxes.indexOf(idx)]
      return query?.data ? record.request(query.data) : pending(id, query?.isLoading === true)
    }
    if (kind === 'authority') {
      const authority = auths.data?.auths.find((one) => one.idx === idx)
      return authority ? [record.authority(authority)] : pending(id, auths.isLoading)
    }
    const group = kind === 'group' ? find(idx) : undefined
    return group ? record.group(group) : [...fixed.screens, ...fixed.parts].filter((target) => target.id === id)
  }
  return ids.flatMap(targetsOf)
}

/** Returns what Ctrl K shows: without a text the recent targets, all screens and the commands. */
export function useJumpSections(
  { screens: listed, actions }: Opens,
  recent: readonly string[],
  typed: string,
  rested: string,
): JumpSection[] {
  const viewer = useViewer()
  const opens = { screens: listed.filter((screen) => isOpen(screen, viewer)), actions }
  const fixed = useFixedTargets(opens)
  const found = useFound(opens, typed, rested)
  const kept = useRecent(opens, recent)
  const isOpenAlready = (target: JumpTarget) => kept.some(({ id }) => id === target.id)
  const offered: JumpSection[] = [
    { name: 'recent', targets: kept },
    { name: 'screens', targets: fixed.screens.filter((target) => !isOpenAlready(target)) },
    { name: 'commands', targets: fixed.commands },
  ]
  return (typed === '' ? offered : found).filter(({ targets }) => targets.length > 0)
}
