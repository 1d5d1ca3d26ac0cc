// Text with the numbers of users and groups that a change of a policy or a group affects.
import type { Policy } from '@acc/contract/policies'
import { useTexts } from '../../kit/texts/texts.ts'
import { groupsTexts } from './groups.texts.ts'

export function useReach({ users, groups }: Policy['reach']) {
  const t = useTexts(groupsTexts)
  return { people: t('peopleCount', { count: users }), groups: t('groupCount', { count: groups }) }
}
