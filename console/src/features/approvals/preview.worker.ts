// The browser's thread for previews. The page ends it when a file takes long, and receives texts and pixels alone.
import { isImage } from '@acc/contract/filePreview'
import { FileKind } from '@acc/contract/labels/fileKind'
import { openPdf } from './previewPdf.ts'
import { decodeText, entriesOfZip, rowsOf, type ZipEntry } from './previewText.ts'

/** First a file, then pages of it. `width`: of the picture in pixels. */
export type PreviewQuestion = { width: number } & (
  | { kind: FileKind; ending: string; bytes: Uint8Array<ArrayBuffer> }
  | { page: number }
)
export type PreviewPicture = { picture: ImageBitmap; page: number; pages: number; text: string }
export type PreviewAnswer =
  | { text: string; isBroken: boolean }
  | { rows: string[][]; isMore: boolean; isBroken: boolean }
  | { entries: ZipEntry[]; count: number }
  | PreviewPicture
  | { failed: 'password' | 'content' }

const TABLES = ['csv', 'tsv']

let pageOf: Awaited<ReturnType<typeof openPdf>> | undefined

async function pictureOf(bytes: Uint8Array<ArrayBuffer>, width: number): Promise<PreviewPicture> {
  const full = await createImageBitmap(new Blob([bytes]))
  const picture =
    full.width > width ? await createImageBitmap(full, { resizeWidth: width, resizeQuality: 'high' }) : full
  return { picture, page: 1, pages: 1, text: '' }
}

async function answerOf(question: PreviewQuestion): Promise<PreviewAnswer> {
  const { width } = question
  if ('page' in question) return (await pageOf?.(question.page, width)) ?? { failed: 'content' }
  const { kind, ending, bytes } = question
  if (isImage(kind)) return pictureOf(bytes, width)
  if (kind === FileKind.ZIP) return entriesOfZip(bytes)
  if (kind === FileKind.PDF) {
    pageOf = await openPdf(bytes)
    return pageOf(1, width)
  }
  const { text, isBroken } = decodeText(bytes)
  return TABLES.includes(ending) ? { ...rowsOf(text), isBroken } : { text, isBroken }
}

addEventListener('message', async ({ data }: MessageEvent<PreviewQuestion>) => {
  const answer = await answerOf(data).catch(
    (error: Error): PreviewAnswer => ({ failed: error.name === 'PasswordException' ? 'password' : 'content' }),
  )
  postMessage(answer, { transfer: 'picture' in answer ? [answer.picture] : [] })
})
