// The menu bimExceptions: addresses from which everybody may connect (spec S2 §2.2).
import { api } from '@acc/contract'
import type { BimException } from '@acc/contract/bim'
import { TextInput } from '@mantine/core'
import { useApiAction, useApiQuery } from '../../kit/api/query.ts'
import { type FieldWords, HeldForm } from '../../kit/form/conflictGuard.tsx'
import { Fields, PaneForm } from '../../kit/form/PaneForm.tsx'
import { type ApiForm, useApiForm } from '../../kit/form/useApiForm.ts'
import { Hint } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Bim.module.css'
import { BimListPane } from './BimListPane.tsx'
import { type BimProps, bimTexts } from './bim.ts'
import { IpInput } from './IpInput.tsx'

const FIELDS = { DUPLICATE_IP: 'ip' } as const

type FormProps = {
  form: ApiForm<{ ip: string; description: string }>
  title: string
  isNew?: boolean
}

function ExceptionForm({ form, title, isNew = false }: FormProps) {
  const t = useTexts(bimTexts)
  const missing = form.isDirty ? form.values.ip === '' && t('enterIp') : t('unchanged')
  return (
    <PaneForm form={form} isNew={isNew} title={title} whyDisabled={missing || undefined}>
      <Hint>{t('exception.hint')}</Hint>
      <Fields>
        <IpInput form={form} autoFocus={isNew} />
        <TextInput label={t('description')} {...form.field('description')} />
      </Fields>
    </PaneForm>
  )
}

/** The form of an always-allowed address (spec S2 §4, §5, §8). */
function CreateException({ onCreated }: { onCreated: (idx: number) => void }) {
  const t = useTexts(bimTexts)
  const form = useApiForm(api.bim.createException, {
    initial: { ip: '', description: '' },
    fields: FIELDS,
    messages: { ip: t('ipFormat') },
    done: t('exception.created'),
    onDone: ({ idx }) => onCreated(idx),
  })
  return <ExceptionForm form={form} title={t('exception.new')} isNew />
}

function UpdateForm({ row: { idx, ip, description, revision } }: { row: BimException }) {
  const t = useTexts(bimTexts)
  const form = useApiForm(api.bim.updateException, {
    initial: { ip, description },
    fixed: { idx, revision },
    fields: FIELDS,
    messages: { ip: t('ipFormat') },
  })
  return <ExceptionForm form={form} title={ip} />
}

export function BimExceptions({ view, setView }: BimProps) {
  const t = useTexts(bimTexts)
  const remove = useApiAction(api.bim.removeExceptions)
  const wordsOf = ({ ip, description }: BimException): FieldWords => [
    [t('ip'), ip, 'ip'],
    [t('description'), description, 'description'],
  ]
  return (
    <QueryState of={useApiQuery(api.bim.searchExceptions, {})}>
      {({ exceptions }) => (
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
          updateForm={(row) => (
            <HeldForm latest={row} wordsOf={wordsOf}>
              {(record) => <UpdateForm row={record} />}
            </HeldForm>
          )}
        />
      )}
    </QueryState>
  )
}
