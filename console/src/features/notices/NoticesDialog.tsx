// How often the viewer is mailed about requests that wait for their decision.
import { api } from '@acc/contract'
import { DAILY_HOUR, NoticeChoice } from '@acc/contract/notices'
import { Text } from '@mantine/core'
import { useApiQuery } from '../../kit/api/query.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { DialogWindow } from '../../kit/dialogs/DialogWindow.tsx'
import { ChoiceField } from '../../kit/form/ChoiceField.tsx'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { Hint } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { useOptions } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { noticesTexts } from './notices.ts'

type FormProps = { choice: NoticeChoice; onClose: () => void }

function ChoiceDialog({ choice, onClose }: FormProps) {
  const t = useTexts(noticesTexts)
  const { session } = useViewer()
  const form = useApiForm(api.notices.setChoice, { initial: { choice }, done: t('saved'), onDone: onClose })
  return (
    <FormDialog title={t('title')} form={form} onClose={onClose}>
      <Hint>{session.email === '' ? t('noEmail') : t('hint', { email: session.email })}</Hint>
      <ChoiceField
        label={t('choice')}
        options={useOptions(NoticeChoice)}
        value={form.values.choice}
        onChange={(chosen) => form.set('choice', chosen)}
      />
      <Text size="sm" role="status">
        {t(`explain.${form.values.choice}`, { hour: DAILY_HOUR })}
        {form.values.choice !== NoticeChoice.OFF && ` ${t('overdueHint')}`}
      </Text>
    </FormDialog>
  )
}

/** Render it while it is open. */
export function NoticesDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(noticesTexts)
  const query = useApiQuery(api.notices.findChoice, {})
  if (query.data !== undefined) return <ChoiceDialog choice={query.data.choice} onClose={onClose} />
  return (
    <DialogWindow onClose={onClose} size={440} title={t('title')}>
      <QueryState of={query}>{() => null}</QueryState>
    </DialogWindow>
  )
}
