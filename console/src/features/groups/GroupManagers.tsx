// Who manages a group: authorities over it and over the groups above, each with its levels and people.
import { api } from '@acc/contract'
import type { Group, GroupAuthority } from '@acc/contract/groups'
import { Level, PAGE_LABELS, PAGES, type Page, Role } from '@acc/contract/labels/access'
import { userStateLabel } from '@acc/contract/labels/users'
import { Select } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useApiQuery } from '../../kit/api/query.ts'
import { Hint, Pane, Section } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { useOpenScreen } from '../../kit/layout/view.ts'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { useLabel } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Groups.module.css'
import { groupsTexts } from './groups.ts'

type Person = GroupAuthority['users'][number]

function People({ people, count }: { people: readonly Person[]; count: number }) {
  const t = useTexts(groupsTexts)
  const label = useLabel()
  const openScreen = useOpenScreen()
  if (people.length === 0) return <p className="quiet">{t('managers.nobody')}</p>
  return (
    <ul className={css.people}>
      {people.map(({ idx, name, id, state }) => (
        <li key={idx}>
          <button type="button" onClick={() => openScreen('users', { idx })}>
            {name}
          </button>{' '}
          <small>{id}</small>{' '}
          {state !== 0 && <StatusDot tone={userStateLabel(state).tone}>{label(userStateLabel(state))}</StatusDot>}
        </li>
      ))}
      {count > people.length && <li className="quiet">{t('managers.more', { count: count - people.length })}</li>}
    </ul>
  )
}

function Authority({ authority }: { authority: GroupAuthority }) {
  const t = useTexts(groupsTexts)
  const label = useLabel()
  const openScreen = useOpenScreen()
  const { idx, name, groupName, isOfGroup, users, userCount } = authority
  return (
    <Section
      title={name}
      aside={
        <button type="button" className={css.toAuthority} onClick={() => openScreen('authorities', { idx })}>
          {t('managers.open')}
          <IconArrowUpRight size={12} aria-hidden />
        </button>
      }
    >
      <p className="quiet">{isOfGroup === 1 ? t('managers.here') : t('managers.from', { name: groupName })}</p>
      <ul className={css.levels} aria-label={t('managers.levels')}>
        {PAGES.filter((page) => authority[page] > Level.NONE).map((page) => (
          <li key={page}>
            <StatusDot tone={Level.labels[authority[page]].tone}>
              {t('managers.level', { page: label(PAGE_LABELS[page]), level: label(Level.labels[authority[page]]) })}
            </StatusDot>
          </li>
        ))}
      </ul>
      <People people={users} count={userCount} />
    </Section>
  )
}

export function GroupManagers({ group }: { group: Group }) {
  const t = useTexts(groupsTexts)
  const label = useLabel()
  const [page, setPage] = useState<Page | null>(null)
  const query = useApiQuery(api.groups.findManagers, { idx: group.idx })
  return (
    <QueryState of={query}>
      {({ authorities, admins, adminCount }) => {
        const shown = authorities.filter((authority) => page === null || authority[page] > Level.NONE)
        return (
          <Pane>
            <Select
              w={240}
              mb={16}
              aria-label={t('managers.filter')}
              placeholder={t('managers.anything')}
              clearable
              data={PAGES.map((value) => ({ value, label: label(PAGE_LABELS[value]) }))}
              value={page}
              onChange={setPage}
            />
            {shown.length === 0 && <Hint>{t('managers.none')}</Hint>}
            {shown.map((authority) => (
              <Authority key={authority.idx} authority={authority} />
            ))}
            <Section title={label(Role.labels[Role.ADMIN])}>
              <p className="quiet">{t('managers.admins')}</p>
              <People people={admins} count={adminCount} />
            </Section>
          </Pane>
        )
      }}
    </QueryState>
  )
}
