// The left pane: manage or create, and in manage by authority or by user.
import { api } from '@acc/contract'
import { SegmentedControl, Tabs } from '@mantine/core'
import { useState } from 'react'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { Empty, QueryState } from '../../kit/layout/QueryState.tsx'
import { SearchBox } from '../../kit/table/FilterBar.tsx'
import { useSearchLabel } from '../../kit/table/search.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Authorities.module.css'
import {
  type AuthoritiesProps,
  type AuthoritiesView,
  authoritiesTexts,
  sizeText,
  useAuthorities,
  useMembers,
} from './authorities.ts'
import { ChoiceList } from './ChoiceList.tsx'

type MemberListProps = {
  search: string
  onClear: (() => void) | undefined
  chosen: number | undefined
  onChoose: (userIdx: number) => void
}

/** The members of all authorities; "more" loads the next page. */
function MemberList({ search, onClear, chosen, onChoose }: MemberListProps) {
  const t = useTexts(authoritiesTexts)
  const [pages, setPages] = useState(1)
  const [first, ...others] = useMembers(search, pages)
  if (first === undefined) return null
  return (
    <QueryState of={first} loading={t('loadingUsers')} failed={t('errorOccurred')}>
      {({ items, totalCount }) => {
        if (items.length === 0)
          return <Empty title={t(search === '' ? 'noMembersOfAny' : 'noUserMatch')} onClear={onClear} />
        const members = [items, ...others.map(({ data }) => data?.items ?? [])].flat()
        const choices = members.map(({ idx, id, name, groupName, authorities }) => ({
          idx,
          title: name,
          detail: `${id} · ${groupName}`,
          aside: t('heldCount', { count: authorities.length }),
        }))
        const more = totalCount > members.length && (
          <ReasonedButton
            fullWidth
            mt={8}
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

type Arrival = {
  /** A new authority, whose row takes the focus. */
  arrived: number | undefined
  onArrived: () => void
}
type Props = Arrival & AuthoritiesProps

const matches = (name: string, search: string) => name.toLocaleLowerCase().includes(search.toLocaleLowerCase())

type ListProps = Arrival & {
  isCreating: boolean
  search: string
  onClear: (() => void) | undefined
  chosen: number | undefined
  onChoose: (idx: number) => void
}

function Authorities({ isCreating, search, onClear, ...rest }: ListProps) {
  const t = useTexts(authoritiesTexts)
  return (
    <QueryState of={useAuthorities()} loading={t('loadingList')} failed={t('errorOccurred')}>
      {({ auths }) => {
        const shown = auths.filter(({ name }) => matches(name, search))
        if (auths.length === 0) return <Empty title={t('none')} hint={isCreating ? t('noneToCopy') : undefined} />
        if (shown.length === 0) return <Empty title={t('noMatch')} onClear={onClear} />
        const choices = shown.map(({ idx, name, userCount, groupCount }) => ({
          idx,
          title: name,
          detail: sizeText(t, { userCount, groupCount }),
        }))
        return <ChoiceList label={t('list')} choices={choices} {...rest} />
      }}
    </QueryState>
  )
}

export function AuthorityList({ view, setView, arrived, onArrived }: Props) {
  const t = useTexts(authoritiesTexts)
  const membersLabel = useSearchLabel(api.authorities.searchMembers)
  const isCreating = view.tab === 'create'
  const isByUser = !isCreating && view.axis === 'user'
  const { search } = view
  const onClear = search === '' ? undefined : () => setView({ search: '' }, { replace: true })
  return (
    <div className="fill">
      <Tabs value={view.tab} onChange={(tab) => setView({ tab: tab === 'create' ? 'create' : 'manage', search: '' })}>
        <Tabs.List px={20} aria-label={t('tabs')}>
          <Tabs.Tab value="manage">{t('manage')}</Tabs.Tab>
          <Tabs.Tab value="create">{t('create')}</Tabs.Tab>
        </Tabs.List>
      </Tabs>
      <div className={css.leftHead}>
        {isCreating ? (
          <p className="quiet">{t('copyHint')}</p>
        ) : (
          <SegmentedControl<AuthoritiesView['axis']>
            fullWidth
            aria-label={t('axis')}
            data={[
              { value: 'auth', label: t('byAuthority') },
              { value: 'user', label: t('byUser') },
            ]}
            value={view.axis}
            onChange={(axis) => setView({ axis, search: '' })}
          />
        )}
        <div className={css.search}>
          <SearchBox
            label={isByUser ? membersLabel : t('searchAuthorities')}
            value={search}
            onChange={(search) => setView({ search }, { replace: true })}
          />
        </div>
      </div>
      {isByUser ? (
        <MemberList
          search={search}
          onClear={onClear}
          chosen={view.userIdx}
          onChoose={(userIdx) => setView({ userIdx })}
        />
      ) : (
        <Authorities
          isCreating={isCreating}
          arrived={isCreating ? undefined : arrived}
          onArrived={onArrived}
          search={search}
          onClear={onClear}
          chosen={isCreating ? view.copyOf : view.idx}
          onChoose={(idx) => setView(isCreating ? { copyOf: idx === view.copyOf ? undefined : idx } : { idx })}
        />
      )}
    </div>
  )
}
