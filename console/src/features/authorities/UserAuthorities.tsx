// The axis of users: what the focused user holds in the middle, one authority of it on the right to look at.
import type { api } from '@acc/contract'
import type { DataOf } from '@acc/contract/core/route'
import { formatDay } from '@acc/contract/labels/formats'
import { Button } from '@mantine/core'
import { Pane } from '../../kit/layout/Page.tsx'
import { Empty } from '../../kit/layout/QueryState.tsx'
import { SplitPane } from '../../kit/layout/SplitPane.tsx'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Authorities.module.css'
import { AuthorityFields, shownForm } from './AuthorityFields.tsx'
import { AuthorityState } from './AuthorityState.tsx'
import { adminStatus } from './adminStatus.ts'
import { useAuthorities, useAuthority, useHolder } from './authorities.queries.ts'
import { authoritiesTexts, sizeText } from './authorities.texts.ts'
import { valuesOf } from './authorityValues.ts'
import { ChoiceList } from './ChoiceList.tsx'

type Holder = DataOf<typeof api.authorities.searchUsers>['items'][number]

function Shown({ idx, onCriteria }: { idx: number; onCriteria: (idx: number) => void }) {
  const t = useTexts(authoritiesTexts)
  return (
    <AuthorityState of={useAuthority(idx)} loading={t('loading')} failed={t('loadFailed')}>
      {(authority) => (
        <Pane
          title={authority.name}
          foot={
            <div className={css.foot}>
              <Button variant="default" onClick={() => onCriteria(idx)}>
                {t('viewCriteria')}
              </Button>
            </div>
          }
        >
          <AuthorityFields form={shownForm(valuesOf(authority))} groups={authority.groups} isReadOnly />
        </Pane>
      )}
    </AuthorityState>
  )
}

function Held({
  holder,
  chosen,
  onChoose,
}: {
  holder: Holder
  chosen: number | undefined
  onChoose: (idx: number) => void
}) {
  const t = useTexts(authoritiesTexts)
  const { data } = useAuthorities()
  const { word, tone } = adminStatus(holder.state)
  const choices = holder.authorities.map(({ idx, name }) => {
    const one = data?.auths.find((auth) => auth.idx === idx)
    const detail = one ? sizeText(t, one) : ''
    return { idx, title: name, detail }
  })
  return (
    <section className={css.middle} aria-label={t('heldBy', { name: holder.name })}>
      <div className={css.person}>
        <h2>
          {holder.name} <span>{holder.id}</span>
          <StatusDot tone={tone}>{t(word)}</StatusDot>
        </h2>
        <p>
          {holder.groupName} · {holder.email}
          {holder.expireDT !== null && ` · ${t('expiresOn', { day: formatDay(holder.expireDT) })}`}
        </p>
      </div>
      <ChoiceList
        label={t('heldBy', { name: holder.name })}
        choices={choices}
        chosen={chosen}
        onChoose={onChoose}
        foot={holder.authorities.length > 1 && <p className={css.note}>{t('highestCounts')}</p>}
      />
    </section>
  )
}

type Props = {
  userId: string
  idx: number | undefined
  onChoose: (idx: number) => void
  onCriteria: (idx: number) => void
}

export function UserAuthorities({ userId, idx, onChoose, onCriteria }: Props) {
  const t = useTexts(authoritiesTexts)
  return (
    <AuthorityState of={useHolder(userId)} loading={t('loading')} failed={t('loadFailed')}>
      {({ items }) => {
        const holder = items.find(({ id }) => id === userId)
        if (holder === undefined) return <Empty title={t('holdsNone')} hint={t('selectUserHint')} />
        const chosen = holder.authorities.some((one) => one.idx === idx) ? idx : holder.authorities[0]?.idx
        return (
          <SplitPane
            name="authorities.form"
            at="end"
            width={380}
            min={340}
            side={
              chosen === undefined ? (
                <Empty title={t('selectAuthority')} />
              ) : (
                <Shown key={chosen} idx={chosen} onCriteria={onCriteria} />
              )
            }
          >
            <Held holder={holder} chosen={chosen} onChoose={onChoose} />
          </SplitPane>
        )
      }}
    </AuthorityState>
  )
}
