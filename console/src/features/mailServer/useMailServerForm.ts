// The mail server while it is edited. A test mail is sent with the values of the form, and then these can be saved
// (spec S1 §4). Editing a field makes another test necessary.
import { api } from '@acc/contract'
import { ApiError } from '@acc/contract/core/client'
import type { DataOf } from '@acc/contract/core/route'
import { Encryption } from '@acc/contract/labels/mails'
import { DEFAULT_PORT, MailServerInput } from '@acc/contract/mailServer'
import { type FormEvent, useRef, useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { markHandled } from '../../kit/api/errors.ts'
import { refresh } from '../../kit/api/query.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { useTexts } from '../../kit/texts/texts.ts'
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
export type EditedMailServer = ReturnType<typeof useMailServerForm>
