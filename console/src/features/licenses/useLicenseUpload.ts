// Uploading a license file: chosen, previewed, registered.
import { api } from '@acc/contract'
import { ApiError } from '@acc/contract/core/client'
import { ERROR_DATA } from '@acc/contract/errorData'
import type { LicenseFault, LicensePreview } from '@acc/contract/licenses'
import { useState } from 'react'
import { callForm } from '../../kit/api/call.ts'
import { markHandled } from '../../kit/api/errors.ts'
import { refresh } from '../../kit/api/query.ts'

export type ChosenLicense = { file: File; preview: LicensePreview }

export function useLicenseUpload(onRegistered: () => void) {
  const [chosen, setChosen] = useState<ChosenLicense | null>(null)
  const [fault, setFault] = useState<LicenseFault | null>(null)
  const [isBusy, setBusy] = useState(false)

  const attempt = async (send: () => Promise<void>) => {
    setBusy(true)
    setFault(null)
    try {
      await send()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const isTooLarge = error.type === 'network' && error.code === 413
      if (error.error === 'INVALID_LICENSE' || isTooLarge) {
        markHandled(error)
        setFault(ERROR_DATA.INVALID_LICENSE.safeParse(error.data).data?.reason ?? 'form')
        setChosen(null)
      }
    } finally {
      setBusy(false)
    }
  }
  const choose = (file: File) =>
    attempt(async () => setChosen({ file, preview: await callForm(api.licenses.preview, {}, file) }))
  const register = ({ file }: ChosenLicense) =>
    attempt(async () => {
      await callForm(api.licenses.register, {}, file)
      setChosen(null)
      await refresh(api.licenses.register.changes)
      onRegistered()
    })
  return { chosen, fault, isBusy, choose, register, cancel: () => setChosen(null) }
}
