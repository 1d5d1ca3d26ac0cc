// The hours after which a waiting request is overdue: a tab of the mail server's menu, saved by the settings' Save.
import { api } from '@acc/contract'
import { MAX_OVERDUE_HOURS } from '@acc/contract/notices'
import { NumberInput } from '@mantine/core'
import { useApiQuery } from '../../kit/api/query.ts'
import { Fields, FormFrame } from '../../kit/form/PaneForm.tsx'
import { useSharedSave } from '../../kit/form/SaveBar.tsx'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { Hint, Pane } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { unitSuffix, useTexts } from '../../kit/texts/texts.ts'
import { noticesTexts } from './notices.ts'

function OverdueForm({ overdueHours }: { overdueHours: number }) {
  const t = useTexts(noticesTexts)
  const form = useApiForm(api.notices.setOverdue, {
    initial: { overdueHours },
    messages: { overdueHours: t('overdueFormat') },
  })
  const id = useSharedSave(form)
  return (
    <FormFrame form={form} id={id}>
      <Pane>
        <Hint>{t('ownChoice')}</Hint>
        <Fields>
          <NumberInput
            label={t('overdue')}
            description={t('overdueDescription')}
            suffix={unitSuffix(t('hours'))}
            {...form.field('overdueHours')}
            max={MAX_OVERDUE_HOURS}
            maw={520}
          />
        </Fields>
      </Pane>
    </FormFrame>
  )
}

export function OverduePanel() {
  return (
    <QueryState of={useApiQuery(api.notices.findOverdue, {})}>
      {({ overdueHours }) => <OverdueForm key={overdueHours} overdueHours={overdueHours} />}
    </QueryState>
  )
}
