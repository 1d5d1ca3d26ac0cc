// The last day of several users at once: all of them or none.
import { api } from '@acc/contract'
import type { ApiError } from '@acc/contract/core/client'
import type { User } from '@acc/contract/users'
import { type FormEvent, useState } from 'react'
import { useApiAction } from '../../kit/api/query.ts'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { Hint } from '../../kit/layout/Page.tsx'
import { peopleNames } from '../../kit/texts/peopleNames.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { ExpiryField, useExpiryCheck } from './ExpiryField.tsx'
import { usersTexts } from './users.texts.ts'
import { usePreventedBy } from './useUserActions.ts'

type Props = {
  users: readonly Pick<User, 'idx' | 'id' | 'name'>[]
  onClose: () => void
  onDone: () => void
  /** Called where some of the users are gone. */
  onMissing: (error: ApiError) => void
}

/** Render it while it is open. */
export function ExpiryDialog({ users, onClose, onDone, onMissing }: Props) {
  const t = useTexts(usersTexts)
  const count = users.length
  const title = t('atOnce.expiryTitle', { count })
  const [value, setValue] = useState<{ isMortal: 0 | 1; expireDT: string | null }>({ isMortal: 0, expireDT: null })
  const [error, setError] = useState<string>()
  const check = useExpiryCheck()
  const explain = usePreventedBy(title, users, onMissing)
  const action = useApiAction(api.users.setExpiry, {
    done: t('atOnce.expiryDone', { count }),
    handles: { SELF_ACTION: explain, ADMIN_SELECTED: explain, NOT_ALLOWED: explain },
  })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const fault = check(value).expireDT
    setError(fault)
    if (fault !== undefined) return
    if ((await action.run({ idxes: users.map(({ idx }) => idx), ...value })) !== undefined) onDone()
  }
  const form = { submit: (event: FormEvent) => void submit(event), isSaving: action.isRunning }
  return (
    <FormDialog title={title} action={t('atOnce.apply')} form={form} onClose={onClose} isNew>
      <Hint>{t('atOnce.expiryOf', { names: peopleNames(users) })}</Hint>
      <ExpiryField value={value} error={error} onChange={setValue} />
    </FormDialog>
  )
}
