// Form field that finds a substitute by name or ID.
import { api } from '@acc/contract'
import type { Substitute } from '@acc/contract/absences'
import { MAX_LENGTH } from '@acc/contract/core/limits'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { useApiQuery } from '../../kit/api/query.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { absencesTexts } from './absences.ts'

/** Milliseconds without a key until the text is searched for. */
const PAUSE = 200

type Props = {
  userIdx: number | undefined
  onChange: (idx: number | null) => void
  error?: ReactNode
  onBlur?: (event: unknown) => void
}

const wordsOf = ({ name, id, groupName }: Substitute) => `${name} (${id}) · ${groupName}`

export function SubstituteField({ userIdx, onChange, error, onBlur }: Props) {
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
