// The fields of a mail server. Only inputs that the portal's styles cover: the register step shows them, too.
import { MAX_PORT } from '@acc/contract/core/limits'
import { DEFAULT_PORTS, Encryption } from '@acc/contract/labels/mails'
import { NativeSelect, TextInput } from '@mantine/core'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useOptions } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './MailServer.module.css'
import { mailServerTexts } from './mailServer.ts'
import { type EditedMailServer, type StoredServer, useMailServerForm } from './useMailServerForm.ts'

/** The mail server in the register step: the same fields, with Save below them. */
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

/** Converts digits to a number. Anything else is left to the form's validation. */
const toPort = (text: string) => (/^\d{1,5}$/.test(text.trim()) ? Number(text) : text.trim())

type Props = { form: EditedMailServer['test']; stored: StoredServer; isBusy: boolean }

export function MailServerFields({ form, stored, isBusy }: Props) {
  const t = useTexts(mailServerTexts)
  const encryptions = useOptions(Encryption)
  const port = form.field('serverPort')
  const encrypt = form.field('encrypt')
  return (
    <div className={css.fields}>
      <TextInput label={t('address')} withAsterisk {...form.field('serverAddress')} />
      <div className={css.pair}>
        <NativeSelect
          label={t('encrypt')}
          data={encryptions.map(({ value, label }) => ({ value: String(value), label }))}
          {...encrypt}
          value={String(form.values.encrypt)}
          onChange={(event) => {
            const chosen = Encryption.values.find((value) => String(value) === event.currentTarget.value)
            if (chosen !== undefined) form.set('encrypt', chosen)
          }}
        />
        <TextInput
          label={t('port')}
          withAsterisk
          description={t('portHint', { port: DEFAULT_PORTS[form.values.encrypt] })}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          {...port}
          maxLength={String(MAX_PORT).length}
          value={String(form.values.serverPort)}
          onChange={(event) => form.set('serverPort', toPort(event.currentTarget.value))}
        />
      </div>
      <TextInput label={t('sender')} withAsterisk {...form.field('senderEmail')} />
      <div className={css.pair}>
        <TextInput
          label={t('id')}
          description={t('idHint')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          autoComplete="off"
          {...form.field('id')}
        />
        <TextInput
          type="password"
          label={t('pw')}
          description={stored?.hasPw === 1 ? t('pwKept') : undefined}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          autoComplete="new-password"
          {...form.field('pw', { trims: false })}
        />
      </div>
      <TextInput label={t('receiver')} withAsterisk {...form.field('receiverEmail')} />
      <div className={css.test}>
        <ReasonedButton type="submit" variant="default" isBusy={form.isSaving || isBusy}>
          {t('test')}
        </ReasonedButton>
        <span role="status">{form.isSaving ? t('testing') : ''}</span>
      </div>
    </div>
  )
}
