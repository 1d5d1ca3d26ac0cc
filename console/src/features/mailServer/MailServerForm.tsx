// The mail server in the register step: the same fields, with Save below them.
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './MailServer.module.css'
import { MailServerFields } from './MailServerFields.tsx'
import { useMailServerForm } from './useMailServerForm.ts'

export function MailServerForm({ onDone }: { onDone: () => void }) {
  const t = useTexts(kitTexts)
  const form = useMailServerForm(null, onDone)
  return (
    <>
      <form onSubmit={form.test.submit} noValidate>
        <MailServerFields form={form.test} stored={null} isBusy={form.isSaving} />
      </form>
      <form className={css.foot} onSubmit={form.save}>
        <ReasonedButton type="submit" size="md" fullWidth isBusy={form.isSaving} whyDisabled={form.whyDisabled}>
          {t('save')}
        </ReasonedButton>
      </form>
    </>
  )
}
