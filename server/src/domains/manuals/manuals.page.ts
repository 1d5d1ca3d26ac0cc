// A manual as a page of its own: style and pictures are inside, and its policy allows nothing else.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Marked } from 'marked'
import type { HtmlPage } from '../../core/context.ts'
import { type ManualSource, readManual, readPictures } from './manuals.source.ts'

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

export async function renderPage(source: ManualSource): Promise<HtmlPage> {
  const manual = await readManual(source)
  const style = await readFile(join(import.meta.dirname, 'manuals.css'), 'utf8')
  const pictures = await readPictures(manual)
  const marked = new Marked({
    renderer: {
      image: ({ href, text }) => `<img src="${pictures.get(href)}" alt="${escapeHtml(text)}">`,
    },
  })
  const html = `<!doctype html>
<html lang="${manual.language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(manual.title)}</title>
<style>${style}</style>
<main>${marked.parser(manual.tokens)}</main>
</html>
`
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  return { html, policy }
}
