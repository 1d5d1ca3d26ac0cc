// Texts of the information menu, and the logo of one place while it is edited: stored, replaced by a chosen file, or to
// be removed. What the server would refuse of a file is said before it is uploaded.
import { api } from '@acc/contract'
import { ApiError } from '@acc/contract/core/client'
import { ERROR_DATA } from '@acc/contract/errorData'
import { LOGO_SIZES, type LogoFault, type LogoPlace, MAX_LOGO_FILE, MAX_LOGO_SCALE } from '@acc/contract/infos'
import { useState } from 'react'
import { call, callForm } from '../../kit/api/call.ts'
import { markHandled } from '../../kit/api/errors.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { defineTexts } from '../../kit/texts/texts.ts'

export const infosTexts = defineTexts(
  () => import('./infos.ko.json'),
  () => import('./infos.en.json'),
)

type LogoFile = { file: File /** base64 */; data: string; width: number; height: number }
type LogoProblem = LogoFault | 'extension' | 'file'

/** Largest size in pixels of the logo of a place. */
export const maxSizeOf = (place: LogoPlace) => ({
  width: LOGO_SIZES[place].width * MAX_LOGO_SCALE,
  height: LOGO_SIZES[place].height * MAX_LOGO_SCALE,
})

const readDataUrl = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })

/** Returns the size of an image, or null if the browser cannot show it. */
const measure = (data: string): Promise<{ width: number; height: number } | null> =>
  new Promise((resolve) => {
    const image = new Image()
    image.onload = () => resolve({ width: image.naturalWidth, height: image.naturalHeight })
    image.onerror = () => resolve(null)
    image.src = `data:image/png;base64,${data}`
  })

const hasExtension = (name: string, extensions: readonly string[]) =>
  extensions.some((extension) => name.toLowerCase().endsWith(`.${extension}`))

/** Reads and checks a chosen file. The server checks it once more when it is uploaded. */
async function readLogoFile(
  file: File,
  place: LogoPlace,
  extensions: readonly string[],
): Promise<LogoFile | LogoProblem> {
  if (!hasExtension(file.name, extensions)) return 'extension'
  if (file.size > MAX_LOGO_FILE) return 'file'
  const url = await readDataUrl(file)
  const data = url.slice(url.indexOf(',') + 1)
  const size = await measure(data)
  if (size === null) return 'format'
  const max = maxSizeOf(place)
  if (size.width > max.width || size.height > max.height) return 'pixels'
  return { file, data, ...size }
}

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
