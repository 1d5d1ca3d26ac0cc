// Deleting a group and setting the DMS root, with confirmation.
import { api } from '@acc/contract'
import type { ApiError } from '@acc/contract/core/client'
import { ERROR_DATA } from '@acc/contract/errorData'
import type { Group, Removal } from '@acc/contract/groups'
import { OwnerType } from '@acc/contract/labels/policies'
import type { z } from 'zod'
import { call } from '../../kit/api/call.ts'
import { markHandled } from '../../kit/api/errors.ts'
import { useApiAction } from '../../kit/api/query.ts'
import { confirm, showMessage } from '../../kit/dialogs/dialogs.tsx'
import { showToast } from '../../kit/dialogs/toast.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { groupsTexts, useGroupIndex } from './groups.ts'

/**
 * What a deletion changes elsewhere, in words for the question before it. Returns the sentence; undefined if nothing
 * changes, or if the numbers could not be read.
 */
export function useChangesText(): (changes: z.output<typeof Removal> | undefined) => string | undefined {
  const t = useTexts(groupsTexts)
  return (changes) => {
    if (changes === undefined) return undefined
    const { authorities, bimTargets, waitingRequests } = changes
    const parts = [
      ...(authorities > 0 ? [t('changesAuthorities', { count: authorities })] : []),
      ...(bimTargets > 0 ? [t('changesBimTargets', { count: bimTargets })] : []),
      ...(waitingRequests > 0 ? [t('changesRequests', { count: waitingRequests })] : []),
    ]
    return parts.length === 0 ? undefined : t('changes', { parts: parts.join(', ') })
  }
}

/** The refusal of a change that approval steps do not allow: the title of its dialog, and what needs the authority. */
export function useNeededWords(): { title: string; textOf: (data: unknown) => string } {
  const t = useTexts(groupsTexts)
  const textOf = (data: unknown) => {
    const { policies, requests } = ERROR_DATA.AUTHORITY_IN_USE.parse(data)
    const parts = [
      ...(policies > 0 ? [t('neededPolicies', { count: policies })] : []),
      ...(requests > 0 ? [t('changesRequests', { count: requests })] : []),
    ]
    return t('needed', { parts: parts.join(', ') })
  }
  return { title: t('neededTitle'), textOf }
}

/** Returns the own policy of a group that will be deleted, with its reach; undefined if the call fails. */
const readPolicy = ({ idx }: Group) =>
  call(api.policies.find, { ownerIdx: idx, ownerType: OwnerType.GROUP }).catch(markHandled)

/** `onRemoved` runs before the data is refetched, so that the deleted group is not refetched. */
export function useRemoveGroup(onRemoved: (group: Group, parent: Group) => void) {
  const t = useTexts(groupsTexts)
  const { find } = useGroupIndex()
  const changesText = useChangesText()
  const showDuplicate = () => void showMessage({ title: t('removeFailed'), body: t('removeDuplicate') })
  const needed = useNeededWords()
  const showNeeded = ({ data }: ApiError) => void showMessage({ title: needed.title, body: needed.textOf(data) })
  const handles = { DUPLICATE_NAME: showDuplicate, AUTHORITY_IN_USE: showNeeded }
  const action = useApiAction(api.groups.remove, { handles })
  return async (group: Group) => {
    const parent = group.parentIdx === null ? undefined : find(group.parentIdx)
    if (!parent) return
    const people = t('peopleCount', { count: group.userCount })
    const subgroups = t('subgroupCount', { count: group.children.length })
    const moves = t('removeBody', { name: group.name, parent: parent.name, people, subgroups })
    const [policy, changes] = await Promise.all([
      group.isMyPolicy === 1 ? readPolicy(group) : undefined,
      call(api.groups.findRemoval, { idx: group.idx }).catch(markHandled),
    ])
    const reached = policy && {
      name: policy.aboveOwnerName ?? parent.name,
      people: t('peopleCount', { count: policy.reach.users }),
      groups: t('groupCount', { count: policy.reach.groups }),
    }
    const isAsked = await confirm({
      title: t('removeTitle'),
      body: [moves, reached && t('removeOwnPolicy', reached), changesText(changes)].filter(Boolean).join('\n\n'),
      action: t('remove'),
      isDanger: true,
    })
    if (!isAsked || (await action.run({ idx: group.idx }, () => onRemoved(group, parent))) === undefined) return
    showToast(t('removed', { name: group.name }))
  }
}

export function useSetDmsRoot() {
  const t = useTexts(groupsTexts)
  const { rows } = useGroupIndex()
  const action = useApiAction(api.groups.setIsDmsParent, { done: t('dmsDone') })
  return async (group: Group) => {
    const before = rows.find((row) => row.group.isDmsParent === 1)?.group
    const body = t('dmsBody', { name: group.name })
    const isAsked = await confirm({
      title: t('dmsTitle'),
      body: before ? `${body}\n\n${t('dmsBefore', { name: before.name })}` : body,
      action: t('dmsAction'),
    })
    if (isAsked) await action.run({ idx: group.idx })
  }
}
