// The manuals' source: Markdown in docs/manuals, one file for each manual and language, with the installation's own
// names and limits filled in. Page and PDF are made from it (docs/decisions/17-console.md).
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lexer, type TokensList } from 'marked'
import type { Language } from '../../core/context.ts'

export const MANUALS = join(import.meta.dirname, '../../../../docs/manuals')

/** What the text names by `{{clientName}}`. */
export type ManualFacts = {
  clientName: string
  serverName: string
  maxLoginFails: number
  sessionMinutes: number
  /** What a new password must have, and what it must not have. */
  requiredRules: string
  forbiddenRules: string
}
export type ManualSource = { name: 'otp' | 'user'; language: Language; facts: ManualFacts }
export type Manual = { language: Language; title: string; tokens: TokensList }

/** Characters that mean something in Markdown; names of products must not. */
const escapeMarkdown = (text: string) => text.replace(/[\\`*_{}[\]()<>#+.!|~-]/g, '\\$&')

export async function readManual({ name, language, facts }: ManualSource): Promise<Manual> {
  const values: ReadonlyMap<string, string | number> = new Map(Object.entries(facts))
  const source = await readFile(join(MANUALS, `${name}.${language}.md`), 'utf8')
  const text = source.replace(/\{\{(\w+)\}\}/g, (_, key: string) => escapeMarkdown(String(values.get(key))))
  const tokens = lexer(text)
  const title = tokens.find((token) => token.type === 'heading')
  return { language, title: title?.type === 'heading' ? plainText(title.tokens) : '', tokens }
}

type Inline = { type: string; text?: string; tokens?: Inline[] }
/** The text of inline tokens without its marks. */
const plainText = (tokens: readonly Inline[] = []): string =>
  tokens.map(({ text = '', tokens: inner }) => (inner ? plainText(inner) : text)).join('')

/** A picture of a manual, as a data address. */
async function readPicture(path: string): Promise<string> {
  const bytes = await readFile(join(MANUALS, path))
  return `data:image/png;base64,${bytes.toString('base64')}`
}

/** The pictures of a manual by their paths. */
export async function readPictures({ tokens }: Manual): Promise<Map<string, string>> {
  const paths = [...new Set(picturesIn(tokens))]
  return new Map(await Promise.all(paths.map(async (path) => [path, await readPicture(path)] as const)))
}

type Branch = { type: string; href?: string; tokens?: Branch[]; items?: Branch[] }
function picturesIn(tokens: readonly Branch[] = []): string[] {
  return tokens.flatMap(({ type, href, tokens: inner, items }) =>
    type === 'image' && href !== undefined ? [href] : [...picturesIn(inner), ...picturesIn(items)],
  )
}
