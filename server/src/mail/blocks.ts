// The parts that mails are written from, as plain text and as HTML. Values are put in as they are: in text they are text, in
// HTML they are escaped.

/** A paragraph, names with their values, or links. */
export type Block = string | [name: string, value: string][] | { links: Link[] }
/** `url` is an address of this server. */
export type Link = { text: string; url: string }

/** `when` of all mails, in UTC. */
export const momentText = (moment: Date) => `${moment.toISOString().slice(0, 16).replace('T', ' ')} (UTC)`

export function asText(block: Block): string {
  if (typeof block === 'string') return block
  if (Array.isArray(block)) return block.map(([name, value]) => `${name}: ${value}`).join('\n')
  return block.links.map(({ text, url }) => `${text}\n${url}`).join('\n\n')
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

export function asHtml(block: Block): string {
  if (typeof block === 'string') return `<p>${escaped(block)}</p>`
  if (Array.isArray(block))
    return `<table cellpadding="4">${block.map(([name, value]) => `<tr><td>${escaped(name)}</td><td><b>${escaped(value)}</b></td></tr>`).join('')}</table>`
  return `<ul>${block.links.map(({ text, url }) => `<li><a href="${escaped(url)}">${escaped(text)}</a></li>`).join('')}</ul>`
}
