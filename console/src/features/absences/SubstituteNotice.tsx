// Names on the approval screens the absent people in whose place the viewer also decides.
import { api } from '@acc/contract'
import { formatDay } from '@acc/contract/labels/formats'
import { Text } from '@mantine/core'
import { useApiQuery } from '../../kit/api/query.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { lastDayOf } from './AbsenceList.tsx'
import { absencesTexts } from './absences.ts'

export function SubstituteNotice() {
  const t = useTexts(absencesTexts)
  const { can } = useViewer()
  const { data } = useApiQuery(api.absences.find, {}, { enabled: can(api.absences.find.access) })
  const people = data?.substitutions ?? []
  if (people.length === 0) return null
  const names = people.map(({ name, endDT }) => t('actingUntil', { name, until: formatDay(lastDayOf(endDT)) }))
  return (
    <Text className="notice" mx={20} mb={10} role="status">
      {t('actingFor', { names: names.join(', ') })}
    </Text>
  )
}
