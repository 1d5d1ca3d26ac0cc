// Pages of a PDF as pictures, by pdf.js within the thread of previews. Scripts, links, forms and attachments need parts
// of pdf.js that are not here, and nothing outside of the document is fetched but the console's own fonts and tables.
import type { PreviewPicture } from './preview.worker.ts'

/** Pixels of an image inside of a page, and of a side of the page. */
const MAX_PIXELS = 64_000_000
const MAX_SIDE = 4096
/** Characters of a page for assistive technology. */
const MAX_TEXT = 20_000

/** What pdf.js needs of a document, which a thread does not have. */
const OWN_DOCUMENT = {
  fonts: (globalThis as { fonts?: unknown }).fonts,
  createElement: () => new OffscreenCanvas(1, 1),
}

/** Filters are elements of a page. Masks by brightness are drawn without theirs. */
class NoFilters {
  addFilter = () => 'none'
  addAlphaFilter = () => 'none'
  addLuminosityFilter = () => 'none'
  addKnockoutFilter = () => 'none'
  destroy(): void {}
}

/** Loads pdf.js so that it works in this thread instead of waiting for messages of a page. */
async function loadPdfJs() {
  Object.assign(globalThis, { window: globalThis })
  await import('pdfjs-dist/build/pdf.worker.mjs')
  Reflect.deleteProperty(globalThis, 'window')
  return import('pdfjs-dist')
}

/** Opens a PDF and returns its pages by their number. */
export async function openPdf(data: Uint8Array): Promise<(page: number, width: number) => Promise<PreviewPicture>> {
  const { getDocument, version } = await loadPdfJs()
  const files = new URL(`pdfjs-${version}/`, location.href).href
  const pdf = await getDocument({
    data,
    FilterFactory: NoFilters,
    ownerDocument: OWN_DOCUMENT as unknown as HTMLDocument,
    maxImageSize: MAX_PIXELS,
    enableXfa: false,
    // The policy of the console forbids WebAssembly.
    useWasm: false,
    useWorkerFetch: true,
    cMapUrl: `${files}cmaps/`,
    standardFontDataUrl: `${files}standard_fonts/`,
    wasmUrl: `${files}wasm/`,
    verbosity: 0,
  }).promise
  return async (number, width) => {
    const page = await pdf.getPage(number)
    const full = page.getViewport({ scale: 1 })
    const viewport = page.getViewport({ scale: Math.min(width / full.width, MAX_SIDE / full.height) })
    const canvas = new OffscreenCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height))
    await page.render({ canvas: canvas as unknown as HTMLCanvasElement, viewport, background: '#fff' }).promise
    const { items } = await page.getTextContent()
    const text = items.map((item) => ('str' in item ? item.str : '')).join(' ')
    page.cleanup()
    return { picture: canvas.transferToImageBitmap(), page: number, pages: pdf.numPages, text: text.slice(0, MAX_TEXT) }
  }
}
