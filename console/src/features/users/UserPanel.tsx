// The panel beside the list: the selected user in the tab update, a new one in the tab create (spec S1 §2).
import { api } from '@acc/contract'
import { Tabs } from '@mantine/core'
import { useViewer } from '../../kit/api/viewer.ts'
import { Empty } from '../../kit/layout/QueryState.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { CreateUserPane } from './CreateUser.tsx'
import { UserPane } from './UserPane.tsx'
import css from './Users.module.css'
import { usersTexts } from './users.texts.ts'
import type { UsersProps } from './usersView.ts'

type Props = UsersProps & { create: Parameters<typeof CreateUserPane>[0] }

function Chosen({ view, setView }: UsersProps) {
  const t = useTexts(usersTexts)
  if (view.idx === undefined) return <Empty title={t('choose')} hint={t('chooseHint')} />
  return <UserPane key={view.idx} idx={view.idx} setView={setView} />
}

export function UserPanel({ view, setView, create }: Props) {
  const t = useTexts(usersTexts)
  const { can } = useViewer()
  if (!can(api.users.create.access)) return <Chosen view={view} setView={setView} />
  return (
    <Tabs
      className={css.tabs}
      value={view.tab}
      onChange={(tab) => setView({ tab: tab === 'create' ? 'create' : 'update' })}
      keepMounted={false}
    >
      <Tabs.List aria-label={t('tabs')}>
        <Tabs.Tab value="update">{t('update')}</Tabs.Tab>
        <Tabs.Tab value="create">{t('create')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value={view.tab} className={css.tabBody}>
        {view.tab === 'create' ? <CreateUserPane {...create} /> : <Chosen view={view} setView={setView} />}
      </Tabs.Panel>
    </Tabs>
  )
}
