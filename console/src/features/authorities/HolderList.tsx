// The people who hold an authority, more of them as asked for.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Empty } from '../../kit/layout/QueryState.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Authorities.module.css'
import { AuthorityState } from './AuthorityState.tsx'
import { useHolders } from './authorities.queries.ts'
import { authoritiesTexts } from './authorities.texts.ts'
import { ChoiceList } from './ChoiceList.tsx'

const STEP = 50

type Props = { search: string; chosen: string | undefined; onChoose: (id: string) => void }

export function HolderList({ search, chosen, onChoose }: Props) {
  const t = useTexts(authoritiesTexts)
  const [rows, setRows] = useState(STEP)
  const holders = useHolders(search, rows)
  return (
    <AuthorityState of={holders} loading={t('loadingUsers')} failed={t('errorOccurred')}>
      {({ items, totalCount }) => {
        if (items.length === 0)
          return search === '' ? (
            <Empty title={t('noHolders')} hint={t('noHoldersHint')} />
          ) : (
            <Empty title={t('noUserMatch')} />
          )
        const choices = items.map(({ idx, id, name, groupName, authorities }) => ({
          idx,
          title: name,
          detail: `${id} · ${groupName}`,
          aside: t('heldCount', { count: authorities.length }),
        }))
        const more = totalCount > items.length && (
          <Button
            className={css.more}
            variant="subtle"
            color="gray"
            loading={holders.isFetching}
            onClick={() => setRows(rows + STEP)}
          >
            {t('more', { shown: items.length, total: totalCount })}
          </Button>
        )
        return (
          <ChoiceList
            label={t('holders')}
            choices={choices}
            chosen={items.find(({ id }) => id === chosen)?.idx}
            onChoose={(idx) => {
              const holder = items.find((item) => item.idx === idx)
              if (holder) onChoose(holder.id)
            }}
            foot={more}
          />
        )
      }}
    </AuthorityState>
  )
}
