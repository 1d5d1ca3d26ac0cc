// The parts of mails, as plain text and as HTML. HTML escapes the values.

/** A paragraph, names with their values, or links. A value is a text, or an address of this server. */
export type Block = string | [name: string, value: Value][] | { links: Link[] }
type Value = string | { url: string }
/** `url` is an address of this server. */
export type Link = { text: string; url: string }

/** Returns the names with their values in the order of writing. */
export const rows = (values: Record<string, Value>): Block => Object.entries(values)

type Text = { subject: string; blocks: Block[] }
export type MailText = {
  ko: Text
  en: Text
  /** Milliseconds after which it is no use to send the mail. */
  validity?: number
}

/** The form of `when` in all mails, in UTC. */
export const momentText = (moment: Date) => `${moment.toISOString().slice(0, 16).replace('T', ' ')} (UTC)`

export function asText(block: Block): string {
  if (typeof block === 'string') return block
  if (Array.isArray(block))
    return block.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : value.url}`).join('\n')
  return block.links.map(({ text, url }) => `${text}\n${url}`).join('\n\n')
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

const linkTo = (url: string, text: string) => `<a href="${escaped(url)}">${escaped(text)}</a>`

function asHtml(block: Block): string {
  if (typeof block === 'string') return `<p>${escaped(block)}</p>`
  if (Array.isArray(block))
    return `<table cellpadding="4">${block.map(([name, value]) => `<tr><td>${escaped(name)}</td><td><b>${typeof value === 'string' ? escaped(value) : linkTo(value.url, value.url)}</b></td></tr>`).join('')}</table>`
  return `<ul>${block.links.map(({ text, url }) => `<li>${linkTo(url, text)}</li>`).join('')}</ul>`
}

const halfOf = (blocks: readonly Block[], language: 'ko' | 'en') =>
  `<div lang="${language}">${blocks.map(asHtml).join('')}</div>`

/** Writes the HTML of a mail: its Korean and its English half. */
export const pageOf = (ko: readonly Block[], en: readonly Block[]): string =>
  `<!doctype html><html lang="ko"><head><meta charset="utf-8"></head><body style="font-family:sans-serif;font-size:14px">${halfOf(ko, 'ko')}<hr>${halfOf(en, 'en')}</body></html>`
