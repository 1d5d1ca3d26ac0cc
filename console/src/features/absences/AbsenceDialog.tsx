// Sets the substitute of an approver for a period: one's own, or another person's by an administrator.
import { api } from '@acc/contract'
import { isAbsencePeriod, type Substitute } from '@acc/contract/absences'
import { MAX_LENGTH } from '@acc/contract/core/limits'
import type { DataOf } from '@acc/contract/core/route'
import { Select, TextInput } from '@mantine/core'
import { DateInput } from '@mantine/dates'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { useApiQuery } from '../../kit/api/query.ts'
import { DialogWindow } from '../../kit/dialogs/DialogWindow.tsx'
import { ownsEscape } from '../../kit/dialogs/useEscape.ts'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { Hint } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { lastDays, useCalendarWords } from '../../kit/table/dayRange.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { AbsenceList } from './AbsenceList.tsx'
import { absencesTexts } from './absences.ts'
import '@mantine/dates/styles.layer.css'

/** Milliseconds without a key until the text is searched for. */
const PAUSE = 200

type SubstituteProps = {
  userIdx: number | undefined
  onChange: (idx: number | null) => void
  error?: ReactNode
  onBlur?: (event: unknown) => void
}

const wordsOf = ({ name, id, groupName }: Substitute) => `${name} (${id}) · ${groupName}`

/** Finds a substitute by name or ID. */
function SubstituteField({ userIdx, onChange, error, onBlur }: SubstituteProps) {
  const t = useTexts(absencesTexts)
  const [chosen, setChosen] = useState<Substitute>()
  const [typed, setTyped] = useState('')
  // The text of the chosen person is no search.
  const isChosen = chosen !== undefined && typed === wordsOf(chosen)
  const [text] = useDebouncedValue(isChosen ? '' : typed.trim().slice(0, MAX_LENGTH.searchText), PAUSE)
  const { data } = useApiQuery(api.absences.searchSubstitutes, { userIdx, text }, { keepsFormer: true })
  const found = data?.items ?? []
  const offered = chosen === undefined || found.some(({ idx }) => idx === chosen.idx) ? found : [chosen, ...found]
  return (
    <Select
      label={t('substitute')}
      description={t('substituteHint')}
      withAsterisk
      searchable
      data-autofocus
      openOnFocus={false}
      data={offered.map((one) => ({ value: one.idx, label: wordsOf(one) }))}
      onSearchChange={setTyped}
      nothingFoundMessage={t('noMatch')}
      value={chosen?.idx ?? null}
      onChange={(idx) => {
        setChosen(offered.find((one) => one.idx === idx))
        onChange(idx)
      }}
      error={error}
      onBlur={onBlur}
    />
  )
}

/** `person`: whose absence an administrator sets; without, the viewer's own. */
type Props = { person?: { idx: number; name: string }; onClose: () => void }
type Initial = { substituteIdx: number | null; startDay: string | null; endDay: string | null; reason: string }

function useAbsenceForm({ person, onClose }: Props) {
  const t = useTexts(absencesTexts)
  const { to: today } = lastDays(1)
  const initial: Initial = { substituteIdx: null, startDay: today, endDay: null, reason: '' }
  return useApiForm(api.absences.create, {
    initial,
    fixed: { userIdx: person?.idx },
    fields: {
      ABSENCE_PERIOD: 'endDay',
      ABSENCE_OVERLAP: 'startDay',
      SUBSTITUTE_REFUSED: 'substituteIdx',
      SUBSTITUTION_CIRCLE: 'substituteIdx',
    },
    messages: {
      substituteIdx: t('choose'),
      startDay: t('dayFormat'),
      endDay: t('dayFormat'),
      reason: t('reasonFormat'),
    },
    check: ({ startDay, endDay }) =>
      startDay === null || endDay === null || isAbsencePeriod(startDay, endDay, today) ? {} : { endDay: t('period') },
    // The field knows only the people that it has found.
    notDrafted: ['substituteIdx'],
    done: t('done'),
    onDone: onClose,
  })
}

type Form = ReturnType<typeof useAbsenceForm>

function DayField({ form, name, label }: { form: Form; name: 'startDay' | 'endDay'; label: string }) {
  const { error, wrapperProps, onBlur } = form.field(name)
  const [isOpen, setOpen] = useState(false)
  const { startDay, endDay } = form.values
  return (
    <DateInput
      label={label}
      withAsterisk
      valueFormat="YYYY-MM-DD"
      placeholder="YYYY-MM-DD"
      {...useCalendarWords({ from: startDay, to: endDay })}
      getDayProps={(day) => ({ disabled: !isAbsencePeriod(day, day, lastDays(1).to) })}
      popoverProps={{ onOpen: () => setOpen(true), onClose: () => setOpen(false) }}
      {...(isOpen ? ownsEscape : {})}
      value={form.values[name]}
      onChange={(day) => form.set(name, day)}
      error={error}
      wrapperProps={wrapperProps}
      onBlur={onBlur}
    />
  )
}

type SetProps = Props & { data: DataOf<typeof api.absences.find> }

function SetAbsence({ person, onClose, data }: SetProps) {
  const t = useTexts(absencesTexts)
  const form = useAbsenceForm({ person, onClose })
  const { error, onBlur } = form.field('substituteIdx')
  return (
    <FormDialog
      title={person === undefined ? t('title') : t('titleOf', { name: person.name })}
      action={t('set')}
      form={form}
      onClose={onClose}
      isNew
      width={480}
    >
      <Hint>{person === undefined ? t('hint') : t('hintOf', { name: person.name })}</Hint>
      <AbsenceList absences={data.absences} />
      <SubstituteField
        userIdx={person?.idx}
        error={error}
        onBlur={onBlur}
        onChange={(idx) => form.set('substituteIdx', idx)}
      />
      <DayField form={form} name="startDay" label={t('from')} />
      <DayField form={form} name="endDay" label={t('to')} />
      <TextInput label={t('reason')} withAsterisk autoComplete="off" {...form.field('reason')} />
    </FormDialog>
  )
}

/** Render it while it is open. */
export function AbsenceDialog({ person, onClose }: Props) {
  const t = useTexts(absencesTexts)
  const query = useApiQuery(api.absences.find, { userIdx: person?.idx })
  if (query.data?.isApprover === 1) return <SetAbsence person={person} onClose={onClose} data={query.data} />
  return (
    <DialogWindow
      onClose={onClose}
      size={480}
      title={person === undefined ? t('title') : t('titleOf', { name: person.name })}
    >
      <QueryState of={query}>{() => <Hint>{t('noApprover', { name: person?.name ?? '' })}</Hint>}</QueryState>
    </DialogWindow>
  )
}
