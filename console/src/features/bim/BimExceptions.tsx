// The menu bimExceptions: addresses from which everybody may connect (spec S2 §2.2).
import { api } from '@acc/contract'
import { useApiAction } from '../../kit/api/query.ts'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Bim.module.css'
import { CreateException, UpdateException } from './BimExceptionForm.tsx'
import { BimListPane } from './BimListPane.tsx'
import { useExceptions } from './bim.queries.ts'
import { bimTexts } from './bim.texts.ts'
import type { BimView, SetBimView } from './bimView.ts'

export function BimExceptions({ view, setView }: { view: BimView; setView: SetBimView }) {
  const t = useTexts(bimTexts)
  const remove = useApiAction(api.bim.removeExceptions)
  return (
    <QueryState of={useExceptions()}>
      {({ exceptions }, { whyDisabled }) => (
        <BimListPane
          view={view}
          setView={setView}
          rows={exceptions}
          kind="exception"
          columns={[
            {
              title: t('ip'),
              width: 140,
              sortBy: ({ ip }) => ip,
              render: ({ ip }) => <span className={css.mono}>{ip}</span>,
            },
            {
              title: t('description'),
              sortBy: ({ description }) => description,
              render: ({ description }) => description,
            },
          ]}
          nameOf={({ ip }) => ip}
          textsOf={({ ip, description }) => [ip, description]}
          remove={remove.run}
          createForm={<CreateException onCreated={(idx) => setView({ mode: 'update', idx })} />}
          updateForm={(row) => <UpdateException latest={row} whyDisabled={whyDisabled} />}
        />
      )}
    </QueryState>
  )
}
