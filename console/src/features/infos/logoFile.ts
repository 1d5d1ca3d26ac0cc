// A logo file before it is uploaded: what the server would refuse is said at once.
import { LOGO_SIZES, type LogoFault, type LogoPlace, MAX_LOGO_FILE, MAX_LOGO_SCALE } from '@acc/contract/infos'

export type LogoFile = { file: File /** base64 */; data: string; width: number; height: number }
export type LogoProblem = LogoFault | 'extension' | 'file'

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
export async function readLogoFile(
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
