// The synchronization while it is edited: a form with flat fields, and the test of what it contains.
import { api } from '@acc/contract'
import { ApiError } from '@acc/contract/core/client'
import type { DataOf, InputOf } from '@acc/contract/core/route'
import { ERROR_DATA } from '@acc/contract/errorData'
import type { Refusal } from '@acc/contract/userImports'
import type { SyncState } from '@acc/contract/userSync'
import { useRef, useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { markHandled } from '../../kit/api/errors.ts'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { inputOf, type SyncValues, valuesOf } from './syncValues.ts'
import { userSyncTexts } from './userSync.ts'

type Tested = { found: DataOf<typeof api.userSync.test> } | { refusal: Refusal }

/** Makes the search of a run. */
async function testSource(input: InputOf<typeof api.userSync.test>): Promise<Tested> {
  try {
    return { found: await call(api.userSync.test, input, { timeout: 60_000 }) }
  } catch (error) {
    if (!(error instanceof ApiError) || error.error !== 'SYNC_FAILED') throw error
    markHandled(error)
    return { refusal: ERROR_DATA.SYNC_FAILED.parse(error.data) }
  }
}

export function useSyncForm(sync: SyncState['sync'], onSaved: () => void) {
  const t = useTexts(userSyncTexts)
  const kit = useTexts(kitTexts)
  const [isTesting, setTesting] = useState(false)
  const [tested, setTested] = useState<Tested>()
  const initial = useRef<SyncValues>(valuesOf(sync)).current
  const attribute = t('attributeFormat')
  const form = useApiForm(api.userSync.set, {
    initial,
    nest: inputOf,
    fields: { NO_GROUP: 'groupIdx' },
    texts: { NO_GROUP: t('noGroup') },
    messages: {
      serverAddress: t('addressFormat'),
      serverPort: t('portFormat'),
      authorities: t('authoritiesFault'),
      bindPw: t('bindPwAgain'),
      base: kit('form.format'),
      filter: kit('form.format'),
      ...{ key: attribute, id: attribute, name: attribute, email: attribute, group: attribute, expireDT: attribute },
    },
    onEdit: () => setTested(undefined),
    onDone: onSaved,
  })
  const test = async () => {
    setTesting(true)
    await form.run(async (input) => setTested(await testSource(input))).finally(() => setTesting(false))
  }
  return { ...form, isTesting, tested, test }
}
export type EditedSync = ReturnType<typeof useSyncForm>
