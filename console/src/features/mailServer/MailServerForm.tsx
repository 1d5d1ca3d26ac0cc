// The mail server while it is edited. A test mail is sent with the values of the form, and then these can be saved
// (spec S1 §4). Only inputs that the portal's styles cover: the register step shows them, too.
import { api } from '@acc/contract'
import { ApiError } from '@acc/contract/core/client'
import { MAX_PORT } from '@acc/contract/core/limits'
import type { DataOf } from '@acc/contract/core/route'
import { DEFAULT_PORTS, Encryption } from '@acc/contract/labels/mails'
import { DEFAULT_PORT, MailServerInput } from '@acc/contract/mailServer'
import { Box, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { markHandled } from '../../kit/api/errors.ts'
import { refresh } from '../../kit/api/query.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useOptions } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './MailServer.module.css'
import { mailServerTexts } from './mailServer.ts'

export type StoredServer = DataOf<typeof api.mailServer.find>['server']

const NONE = {
  serverAddress: '',
  serverPort: DEFAULT_PORT,
  encrypt: Encryption.STARTTLS,
  senderEmail: '',
  id: '',
  receiverEmail: '',
}

function valuesOf(stored: StoredServer) {
  const { hasPw: _, ...server } = stored ?? { ...NONE, hasPw: 0 }
  return { ...server, serverPort: server.serverPort === 0 ? DEFAULT_PORT : server.serverPort, pw: '' }
}

/** Editing a field makes another test necessary. */
export function useMailServerForm(stored: StoredServer, onSaved: () => void) {
  const t = useTexts(mailServerTexts)
  const [isTested, setTested] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const initial = useRef(valuesOf(stored)).current
  const test = useApiForm(api.mailServer.test, {
    initial,
    messages: {
      serverAddress: t('addressFormat'),
      serverPort: t('portFormat'),
      senderEmail: t('emailFormat'),
      receiverEmail: t('emailFormat'),
      pw: t('pwAgain'),
    },
    dialogs: { TEST_MAIL_FAILED: t('testFailedTitle') },
    done: t('tested'),
    onEdit: () => setTested(false),
    onDone: () => setTested(true),
  })
  const send = async () => {
    const { pw, ...values } = test.values
    await call(api.mailServer.set, MailServerInput.parse({ ...values, ...(pw !== '' && { pw }) }))
    setTested(false)
    await refresh(api.mailServer.set.changes)
    test.reset()
    onSaved()
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setSaving(true)
    try {
      await send()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.error === 'MAIL_SERVER_FAILED') {
        markHandled(error)
        setTested(false)
        setSaving(false)
        await showMessage({ title: t('refusedTitle'), body: t('refused') })
      }
    } finally {
      setSaving(false)
    }
  }
  const whyUntested = isTested ? undefined : t('testFirst')
  return {
    test,
    isDirty: test.isDirty,
    isSaving,
    /** Why Save is disabled. */
    whyDisabled: test.whyDisabled ?? whyUntested,
    save: (event: FormEvent) => void save(event),
    reset: test.reset,
  }
}
type EditedMailServer = ReturnType<typeof useMailServerForm>

/** The mail server in the register step: the same fields, with Save below them. */
export function MailServerForm({ onDone }: { onDone: () => void }) {
  const t = useTexts(kitTexts)
  const form = useMailServerForm(null, onDone)
  return (
    <>
      <form onSubmit={form.test.submit} noValidate>
        <MailServerFields form={form.test} stored={null} isBusy={form.isSaving} />
      </form>
      <Box component="form" mt={12} onSubmit={form.save}>
        <ReasonedButton type="submit" size="md" fullWidth isBusy={form.isSaving} whyDisabled={form.whyDisabled}>
          {t('save')}
        </ReasonedButton>
      </Box>
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
