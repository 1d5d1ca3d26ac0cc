// The panel next to the list: the selected user in the tab update, a new one in the tab create (spec S1 §2).
import { api } from '@acc/contract'
import { useViewer } from '../../kit/api/viewer.ts'
import { PaneTabs } from '../../kit/layout/PaneTabs.tsx'
import { Empty } from '../../kit/layout/QueryState.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { CreateUserPane } from './CreateUser.tsx'
import { UserPane } from './UserPane.tsx'
import { usersTexts } from './users.ts'
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
    <PaneTabs
      label={t('tabs')}
      tabs={[
        { value: 'update', label: t('update') },
        { value: 'create', label: t('create') },
      ]}
      value={view.tab}
      onChange={(tab) => setView({ tab })}
    >
      {view.tab === 'create' ? <CreateUserPane {...create} /> : <Chosen view={view} setView={setView} />}
    </PaneTabs>
  )
}
