// The current and future absences of a person; each can be ended.
import { api } from '@acc/contract'
import type { Absence } from '@acc/contract/absences'
import { formatDay, localDayOf } from '@acc/contract/labels/formats'
import { Group, Text } from '@mantine/core'
import { useApiAction } from '../../kit/api/query.ts'
import { confirm } from '../../kit/dialogs/dialogs.tsx'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { Section } from '../../kit/layout/Page.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { absencesTexts } from './absences.ts'

/** The last day of a period whose end is exclusive. */
export const lastDayOf = (endDT: string): string => localDayOf(new Date(Date.parse(endDT) - 1))

function Entry({ absence }: { absence: Absence }) {
  const t = useTexts(absencesTexts)
  const kit = useTexts(kitTexts)
  const action = useApiAction(api.absences.end, { done: t('ended') })
  const { idx, startDT, endDT, substituteName: name, substituteId: id, reason, isEffective } = absence
  const range = t('range', { from: formatDay(localDayOf(new Date(startDT))), to: formatDay(lastDayOf(endDT)) })
  const end = async () => {
    const ask = { title: t('endTitle'), body: t('endBody', { name }), action: t('end'), isDanger: true }
    if (await confirm(ask)) await action.run({ idx })
  }
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Text size="sm" fw={600}>
            {range}
          </Text>
          <Text size="sm">{t('by', { name, id })}</Text>
          <Text size="sm" c="dimmed">
            {reason}
          </Text>
        </div>
        <ReasonedButton
          size="compact-sm"
          variant="default"
          aria-label={kit('named', { name: range, action: t('end') })}
          isBusy={action.isRunning}
          onClick={() => void end()}
        >
          {t('end')}
        </ReasonedButton>
      </Group>
      {isEffective === 0 && (
        <p className="notice" data-tone="warn">
          {t('lost', { name })}
        </p>
      )}
    </div>
  )
}

export function AbsenceList({ absences }: { absences: readonly Absence[] }) {
  const t = useTexts(absencesTexts)
  if (absences.length === 0) return null
  return (
    <Section title={t('list')}>
      <div className="stack">
        {absences.map((absence) => (
          <Entry key={absence.idx} absence={absence} />
        ))}
      </div>
    </Section>
  )
}
