// The members of all authorities; "more" loads the next page.
import { useState } from 'react'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { Empty, QueryState } from '../../kit/layout/QueryState.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Authorities.module.css'
import { useMembers } from './authorities.queries.ts'
import { authoritiesTexts } from './authorities.texts.ts'
import { ChoiceList } from './ChoiceList.tsx'

type Props = { search: string; chosen: number | undefined; onChoose: (userIdx: number) => void }

export function MemberList({ search, chosen, onChoose }: Props) {
  const t = useTexts(authoritiesTexts)
  const [pages, setPages] = useState(1)
  const [first, ...others] = useMembers(search, pages)
  if (first === undefined) return null
  return (
    <QueryState of={first} loading={t('loadingUsers')} failed={t('errorOccurred')}>
      {({ items, totalCount }) => {
        if (items.length === 0) return <Empty title={t(search === '' ? 'noMembersOfAny' : 'noUserMatch')} />
        const members = [items, ...others.map(({ data }) => data?.items ?? [])].flat()
        const choices = members.map(({ idx, id, name, groupName, authorities }) => ({
          idx,
          title: name,
          detail: `${id} · ${groupName}`,
          aside: t('heldCount', { count: authorities.length }),
        }))
        const more = totalCount > members.length && (
          <ReasonedButton
            className={css.more}
            variant="subtle"
            color="gray"
            isBusy={others.some(({ isFetching }) => isFetching)}
            onClick={() => setPages(pages + 1)}
          >
            {t('more', { shown: members.length, total: totalCount })}
          </ReasonedButton>
        )
        return (
          <ChoiceList label={t('membersOfAny')} choices={choices} chosen={chosen} onChoose={onChoose} foot={more} />
        )
      }}
    </QueryState>
  )
}
