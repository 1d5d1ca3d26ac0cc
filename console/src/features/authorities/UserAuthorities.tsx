// The axis of users: the focused user's authorities in the middle, the selected one on the right, read-only.
import { api } from '@acc/contract'
import type { DataOf } from '@acc/contract/core/route'
import { formatDay } from '@acc/contract/labels/formats'
import { Button } from '@mantine/core'
import { useApiQuery } from '../../kit/api/query.ts'
import { Pane, PaneFoot } from '../../kit/layout/Page.tsx'
import { Empty, QueryState } from '../../kit/layout/QueryState.tsx'
import { SplitPane } from '../../kit/layout/SplitPane.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { useEndText } from '../ends/exports.ts'
import { UserStateDot } from '../users/exports.ts'
import css from './Authorities.module.css'
import { AuthorityFields, formOf } from './AuthorityFields.tsx'
import { authoritiesTexts, sizeText, useAuthorities, useAuthority, valuesOf } from './authorities.ts'
import { ChoiceList } from './ChoiceList.tsx'

type Member = DataOf<typeof api.authorities.searchMembers>['items'][number]

function Shown({ idx, onCriteria }: { idx: number; onCriteria: (idx: number) => void }) {
  const t = useTexts(authoritiesTexts)
  return (
    <QueryState of={useAuthority(idx)} loading={t('loading')} failed={t('loadFailed')}>
      {(authority) => (
        <Pane
          title={authority.name}
          foot={
            <PaneFoot>
              <Button variant="default" onClick={() => onCriteria(idx)}>
                {t('viewCriteria')}
              </Button>
            </PaneFoot>
          }
        >
          <AuthorityFields form={formOf(valuesOf(authority))} groups={authority.groups} isReadOnly />
        </Pane>
      )}
    </QueryState>
  )
}

function HeldAuthority({
  member,
  chosen,
  onChoose,
}: {
  member: Member
  chosen: number | undefined
  onChoose: (idx: number) => void
}) {
  const t = useTexts(authoritiesTexts)
  const { data } = useAuthorities()
  const endText = useEndText()
  const choices = member.authorities.map(({ idx, name, endDT }) => {
    const one = data?.auths.find((auth) => auth.idx === idx)
    const detail = one ? sizeText(t, one) : ''
    return { idx, title: name, detail, ...(endDT !== null && { aside: endText({ endDT, endReason: null }) }) }
  })
  return (
    <section className="fill" aria-label={t('heldBy', { name: member.name })}>
      <div className={css.person}>
        <h2>
          {member.name} <span>{member.id}</span>
          <UserStateDot user={member} />
        </h2>
        <p>
          {member.groupName} · {member.email}
          {member.expireDT !== null && ` · ${t('expiresOn', { day: formatDay(member.expireDT) })}`}
        </p>
      </div>
      <ChoiceList
        label={t('heldBy', { name: member.name })}
        choices={choices}
        chosen={chosen}
        onChoose={onChoose}
        foot={member.authorities.length > 1 && <p className="quiet">{t('highestCounts')}</p>}
      />
    </section>
  )
}

type Props = {
  userIdx: number
  idx: number | undefined
  onChoose: (idx: number) => void
  onCriteria: (idx: number) => void
}

export function UserAuthorities({ userIdx, idx, onChoose, onCriteria }: Props) {
  const t = useTexts(authoritiesTexts)
  return (
    <QueryState
      of={useApiQuery(api.authorities.searchMembers, { userIdx })}
      loading={t('loading')}
      failed={t('loadFailed')}
    >
      {({ items }) => {
        const [member] = items
        if (member === undefined) return <Empty title={t('holdsNone')} hint={t('selectUserHint')} />
        const chosen = member.authorities.some((one) => one.idx === idx) ? idx : member.authorities[0]?.idx
        return (
          <SplitPane
            name="authorities.form"
            label={t('form')}
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
            <HeldAuthority member={member} chosen={chosen} onChoose={onChoose} />
          </SplitPane>
        )
      }}
    </QueryState>
  )
}
