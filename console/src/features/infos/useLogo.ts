// The logo of one place while it is edited: stored, replaced by a chosen file, or to be removed.
import { api } from '@acc/contract'
import { ApiError } from '@acc/contract/core/client'
import { ERROR_DATA } from '@acc/contract/errorData'
import type { LogoPlace } from '@acc/contract/infos'
import { useState } from 'react'
import { call, callForm } from '../../kit/api/call.ts'
import { markHandled } from '../../kit/api/errors.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { type LogoFile, type LogoProblem, readLogoFile } from './logoFile.ts'

const CALLS = {
  login: { set: api.infos.setLoginPageLogo, remove: api.infos.removeLoginPageLogo },
  manage: { set: api.infos.setManagePageLogo, remove: api.infos.removeManagePageLogo },
} as const

export function useLogo(place: LogoPlace, stored: string | null) {
  const { configs } = useViewer()
  const [chosen, setChosen] = useState<LogoFile | 'removed' | null>(null)
  const [problem, setProblem] = useState<LogoProblem | null>(null)
  const replace = (next: LogoFile | 'removed' | null) => {
    setChosen(next)
    setProblem(null)
  }
  const choose = async (file: File) => {
    const read = await readLogoFile(file, place, configs.allowExtensionsLogo)
    if (typeof read === 'string') setProblem(read)
    else replace(read)
  }
  const send = async () => {
    if (chosen === 'removed') await call(CALLS[place].remove, {})
    else if (chosen !== null) await callForm(CALLS[place].set, {}, chosen.file)
  }
  /** Uploads or removes the logo, as chosen. Returns whether that succeeded. */
  const save = async (): Promise<boolean> => {
    try {
      await send()
      replace(null)
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.error === 'INVALID_IMAGE') {
        markHandled(error)
        setProblem(ERROR_DATA.INVALID_IMAGE.safeParse(error.data).data?.reason ?? 'format')
      }
      return false
    }
  }
  const current = chosen === null ? stored : null
  return {
    place,
    /** What the preview shows: PNG as base64, or null for the product's name. */
    image: chosen === null || chosen === 'removed' ? current : chosen.data,
    chosen,
    problem,
    isChanged: chosen !== null,
    choose,
    remove: () => replace(stored === null ? null : 'removed'),
    undo: () => replace(null),
    save,
  }
}
export type EditedLogo = ReturnType<typeof useLogo>
