// The authorities screen: the list, the members of the selected authority, and its form (spec S2 §2.1).
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Page, PageBody, PageHeader } from '../../kit/layout/Page.tsx'
import { Empty } from '../../kit/layout/QueryState.tsx'
import { SplitPane } from '../../kit/layout/SplitPane.tsx'
import { useView } from '../../kit/layout/view.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { AuthorityList } from './AuthorityList.tsx'
import { type AuthoritiesProps, AuthoritiesView, authoritiesTexts, useAuthorities } from './authorities.ts'
import { CreateAuthority } from './CreateAuthority.tsx'
import { ManageAuthority } from './ManageAuthority.tsx'
import { UserAuthorities } from './UserAuthorities.tsx'

/** What comes before there is anything to select. */
function Beginning({ hasAuthorities, setView }: { hasAuthorities: boolean; setView: AuthoritiesProps['setView'] }) {
  const t = useTexts(authoritiesTexts)
  return hasAuthorities ? (
    <Empty title={t('addFirstAdmin')} hint={t('addFirstAdminHint')}>
      <Button variant="default" onClick={() => setView({ axis: 'auth', search: '' })}>
        {t('viewCriteria')}
      </Button>
    </Empty>
  ) : (
    <Empty title={t('first')} hint={t('firstHint')}>
      <Button onClick={() => setView({ tab: 'create', copyOf: undefined, search: '' })}>{t('createFirst')}</Button>
    </Empty>
  )
}

type Props = AuthoritiesProps & { onCreated: (idx: number) => void }

function Chosen({ view, setView, onCreated }: Props) {
  const t = useTexts(authoritiesTexts)
  const { data } = useAuthorities()
  // The selected authority may have been deleted by another administrator.
  const isGone = data !== undefined && !data.auths.some(({ idx }) => idx === view.idx)
  const chosen = view.axis === 'auth' ? view.idx : view.userIdx
  const manage = (idx: number) => setView({ tab: 'manage', axis: 'auth', idx, copyOf: undefined, search: '' })
  if (view.tab === 'create')
    return (
      <CreateAuthority
        copyOf={view.copyOf}
        onCreated={(idx) => {
          onCreated(idx)
          manage(idx)
        }}
      />
    )
  const hasChoices = data?.auths.some(({ userCount }) => view.axis === 'auth' || userCount > 0)
  if (data === undefined && chosen === undefined) return null
  if (hasChoices === false) return <Beginning hasAuthorities={data?.auths.length !== 0} setView={setView} />
  if (view.axis === 'user')
    return view.userIdx === undefined ? (
      <Empty title={t('selectUser')} hint={t('selectUserHint')} />
    ) : (
      <UserAuthorities
        key={view.userIdx}
        userIdx={view.userIdx}
        idx={view.idx}
        onChoose={(idx) => setView({ idx })}
        onCriteria={manage}
      />
    )
  return view.idx === undefined || isGone ? (
    <Empty title={t('selectAuthority')} hint={t('selectAuthorityHint')} />
  ) : (
    <ManageAuthority key={view.idx} idx={view.idx} onRemoved={() => setView({ idx: undefined })} />
  )
}

/** What the list has opened: a new authority, a user or an authority. */
function openedIn({ tab, axis, idx, userIdx }: AuthoritiesView): number | 'create' | undefined {
  if (tab === 'create') return 'create'
  return axis === 'user' ? userIdx : idx
}

export function AuthoritiesScreen() {
  const t = useTexts(authoritiesTexts)
  const [view, setView] = useView(AuthoritiesView)
  const [created, setCreated] = useState<number>()
  return (
    <Page>
      <PageHeader />
      <PageBody>
        <SplitPane
          name="authorities.list"
          label={t('chosen')}
          at="start"
          width={240}
          min={220}
          max={420}
          side={
            <AuthorityList view={view} setView={setView} arrived={created} onArrived={() => setCreated(undefined)} />
          }
          steps={{
            opened: openedIn(view),
            close: () => setView({ tab: 'manage', idx: undefined, userIdx: undefined, copyOf: undefined }),
          }}
        >
          <Chosen view={view} setView={setView} onCreated={setCreated} />
        </SplitPane>
      </PageBody>
    </Page>
  )
}
