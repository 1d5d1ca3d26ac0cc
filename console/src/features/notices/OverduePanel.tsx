// After how long a waiting request is overdue and expires: a tab of the mail server's menu with the settings' Save.
import { api } from '@acc/contract'
import type { DataOf } from '@acc/contract/core/route'
import { MAX_EXPIRY_DAYS, MAX_OVERDUE_HOURS } from '@acc/contract/notices'
import { NumberInput } from '@mantine/core'
import { useApiQuery } from '../../kit/api/query.ts'
import { Fields, FormFrame } from '../../kit/form/PaneForm.tsx'
import { useSharedSave } from '../../kit/form/SaveBar.tsx'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { Hint, Pane } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { unitSuffix, useTexts } from '../../kit/texts/texts.ts'
import { noticesTexts } from './notices.ts'

function OverdueForm({ overdueHours, requestExpiryDays }: DataOf<typeof api.notices.findOverdue>) {
  const t = useTexts(noticesTexts)
  const form = useApiForm(api.notices.setOverdue, {
    initial: { overdueHours, requestExpiryDays },
    sends: 'changes',
    required: ['overdueHours', 'requestExpiryDays'],
    messages: { overdueHours: t('overdueFormat'), requestExpiryDays: t('expiryFormat') },
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
          <NumberInput
            label={t('expiry')}
            description={t('expiryDescription')}
            suffix={unitSuffix(t('days'))}
            {...form.field('requestExpiryDays')}
            max={MAX_EXPIRY_DAYS}
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
      {(values) => <OverdueForm key={`${values.overdueHours} ${values.requestExpiryDays}`} {...values} />}
    </QueryState>
  )
}
