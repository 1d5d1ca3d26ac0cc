// A manual as PDF, with the console's typeface. Text breaks between words, in Korean as well.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Token, Tokens } from 'marked'
import pdfmake from 'pdfmake'
import type { Content, ContentText, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { type Manual, readPictures } from './manuals.source.ts'

const FONTS = join(
  dirname(createRequire(import.meta.url).resolve('pretendard/package.json')),
  'dist/public/static/alternative',
)
const font = (weight: string) => join(FONTS, `Pretendard-${weight}.ttf`)

const INK = '#15181e'
const INK_2 = '#4a515e'
const LINE = '#d3d8e0'
const SOFT = '#f4f5f8'
const ACCENT = '#3056d3'
/** Width of a picture in points. */
const PICTURE = 220

type Style = { bold?: boolean; link?: string; color?: string }
type Pictures = ReadonlyMap<string, string>

/** One inline for each word: the library would break Korean words anywhere. */
const words = (text: string, style: Style): ContentText[] =>
  text.split(/(?<=\s)/).map((word) => ({ text: word, noWrap: true, ...style }))

function inlines(tokens: readonly Token[] = [], style: Style = {}): ContentText[] {
  return tokens.flatMap((token) => {
    const inner = 'tokens' in token ? token.tokens : undefined
    if (token.type === 'strong') return inlines(inner, { ...style, bold: true })
    if (token.type === 'link') return inlines(inner, { ...style, link: token.href, color: ACCENT })
    if (inner) return inlines(inner, style)
    return 'text' in token ? words(token.text.replaceAll('\n', ' '), style) : []
  })
}

const paragraph = (tokens: readonly Token[], pictures: Pictures): Content => {
  const [picture] = tokens
  if (picture?.type !== 'image') return { text: inlines(tokens), margin: [0, 4, 0, 6] }
  const image = pictures.get(picture.href) ?? ''
  return { image, width: PICTURE, margin: [0, 8, 0, 10] }
}

const heading = ({ depth, tokens }: Tokens.Heading): Content =>
  depth === 1
    ? { text: inlines(tokens, { bold: true }), fontSize: 24, margin: [0, 0, 0, 8] }
    : { text: inlines(tokens, { bold: true }), fontSize: 14, margin: [0, 20, 0, 4], headlineLevel: depth }

const item = ({ tokens }: Tokens.ListItem, pictures: Pictures): Content => ({
  stack: blocks(tokens, pictures),
  margin: [0, 2, 0, 2],
})

const list = ({ ordered, start, items }: Tokens.List, pictures: Pictures): Content => {
  const rows = items.map((one) => item(one, pictures))
  return ordered ? { ol: rows, start: Number(start), margin: [0, 2, 0, 6] } : { ul: rows, margin: [0, 2, 0, 6] }
}

const cellsOf = (cells: readonly Tokens.TableCell[], style: Style = {}): Content[] =>
  cells.map(({ tokens }) => ({ text: inlines(tokens, style), ...(style.bold && { fillColor: SOFT }) }))

const LINES = {
  hLineWidth: () => 0.5,
  vLineWidth: () => 0.5,
  hLineColor: () => LINE,
  vLineColor: () => LINE,
  paddingTop: () => 5,
  paddingBottom: () => 5,
  paddingLeft: () => 7,
  paddingRight: () => 7,
}

const table = ({ header, rows }: Tokens.Table): Content => ({
  table: {
    headerRows: 1,
    dontBreakRows: true,
    widths: header.map((_, at) => (at === 0 ? '34%' : '*')),
    body: [cellsOf(header, { bold: true }), ...rows.map((row) => cellsOf(row))],
  },
  layout: LINES,
  fontSize: 9,
  margin: [0, 6, 0, 8],
})

const NOTE = { ...LINES, hLineWidth: () => 0, vLineWidth: (at: number) => (at === 0 ? 2 : 0), vLineColor: () => ACCENT }
const note = ({ tokens }: Tokens.Blockquote, pictures: Pictures): Content => ({
  table: { widths: ['*'], body: [[{ stack: blocks(tokens, pictures), fillColor: SOFT }]] },
  layout: NOTE,
  margin: [0, 6, 0, 8],
})

function block(token: Token, pictures: Pictures): Content[] {
  switch (token.type) {
    case 'heading':
      return [heading(token as Tokens.Heading)]
    case 'paragraph':
      return [paragraph((token as Tokens.Paragraph).tokens, pictures)]
    case 'text':
      return [{ text: inlines((token as Tokens.Text).tokens) }]
    case 'list':
      return [list(token as Tokens.List, pictures)]
    case 'table':
      return [table(token as Tokens.Table)]
    case 'blockquote':
      return [note(token as Tokens.Blockquote, pictures)]
    default:
      return []
  }
}

const blocks = (tokens: readonly Token[], pictures: Pictures): Content[] =>
  tokens.flatMap((token) => block(token, pictures))

/** A heading stays with what follows it. */
const pageBreakBefore: TDocumentDefinitions['pageBreakBefore'] = (node, nodes) =>
  node.headlineLevel !== undefined && nodes.getFollowingNodesOnPage().every(({ text }) => text === undefined)

export async function renderPdf(manual: Manual): Promise<Uint8Array> {
  pdfmake.setFonts({ Pretendard: { normal: font('Regular'), bold: font('SemiBold') } })
  pdfmake.setUrlAccessPolicy(() => false)
  pdfmake.setLocalAccessPolicy((path) => path.startsWith(FONTS))
  const pictures = await readPictures(manual)
  const document = pdfmake.createPdf({
    info: { title: manual.title },
    language: manual.language,
    pageSize: 'A4',
    pageMargins: [64, 60, 64, 64],
    defaultStyle: { font: 'Pretendard', fontSize: 10.5, lineHeight: 1.35, color: INK },
    footer: (page, pages) => ({
      text: `${page} / ${pages}`,
      alignment: 'center',
      fontSize: 8.5,
      color: INK_2,
      margin: [0, 20],
    }),
    content: blocks(manual.tokens, pictures),
    pageBreakBefore,
  })
  return await document.getBuffer()
}
