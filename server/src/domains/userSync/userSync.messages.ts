// Messages of LDAP (RFC 4511) as they arrive: elements of BER with definite lengths and tags of one byte. Decoded here,
// since ldapts loops on a message whose lengths disagree, and loses the rest of a search after an empty page.

/** The directory sent something that is no LDAP. */
export class BadMessage extends Error {
  override readonly name = 'BadMessage'
}

type Element = { tag: number; content: Buffer }

const SEQUENCE = 0x30
const CONTROLS = 0xa0
/** The operations of responses. */
export const Operation = { BIND: 0x61, ENTRY: 0x64, DONE: 0x65, REFERENCE: 0x73, EXTENDED: 0x78 } as const
const PAGED_RESULTS = '1.2.840.113556.1.4.319'

/** Reads tag and length of an element. Returns where its content is, or undefined if more bytes are needed. */
function headerAt(bytes: Buffer, at: number): { tag: number; from: number; end: number } | undefined {
  const tag = bytes[at]
  const first = bytes[at + 1]
  if (tag === undefined || first === undefined) return undefined
  if (first < 0x80) return { tag, from: at + 2, end: at + 2 + first }
  const count = first - 0x80
  if (count < 1 || count > 4) throw new BadMessage('a length is not definite')
  const from = at + 2 + count
  if (bytes.length < from) return undefined
  return { tag, from, end: from + bytes.readUIntBE(at + 2, count) }
}

/** Returns the elements of a content. Throws BadMessage where one is longer than it. */
function elementsOf(content: Buffer): Element[] {
  const elements: Element[] = []
  for (let at = 0; at < content.length; ) {
    const header = headerAt(content, at)
    if (header === undefined || header.end > content.length) throw new BadMessage('an element is cut off')
    elements.push({ tag: header.tag, content: content.subarray(header.from, header.end) })
    at = header.end
  }
  return elements
}

/** Splits what arrives into messages of `max` bytes at most. */
export async function* messagesOf(chunks: AsyncIterable<Buffer>, max: number): AsyncGenerator<Buffer, void> {
  let parts: Buffer[] = []
  let size = 0
  let needed = 0
  for await (const chunk of chunks) {
    parts.push(chunk)
    size += chunk.length
    if (size < needed) continue
    let bytes = Buffer.concat(parts)
    for (;;) {
      const header = headerAt(bytes, 0)
      if (header !== undefined && (header.tag !== SEQUENCE || header.end > max))
        throw new BadMessage(
          header.tag === SEQUENCE ? `a message has more than ${max} bytes` : 'the server does not speak LDAP',
        )
      needed = header?.end ?? bytes.length + 1
      if (needed > bytes.length) break
      yield bytes.subarray(0, needed)
      bytes = bytes.subarray(needed)
    }
    parts = [bytes]
    size = bytes.length
  }
}

export type Entry = {
  dn: string
  /** Values by the name of the attribute in lower case, with its options. */
  attributes: ReadonlyMap<string, readonly Buffer[]>
}
export type Response = { id: number; operation: number } & (
  | { operation: typeof Operation.ENTRY; entry: Entry }
  | { operation: typeof Operation.REFERENCE }
  | { operation: number; code: number; text: string; cookie: Buffer | undefined }
)

const textOf = (element: Element | undefined) => element?.content.toString('utf8') ?? ''
const numberOf = ({ content }: Element) =>
  content.length === 0 || content.length > 4 ? -1 : content.readIntBE(0, content.length)

function entryOf(content: Buffer): Entry {
  const [dn, list] = elementsOf(content)
  if (dn === undefined || list === undefined) throw new BadMessage('an entry has no attributes')
  const attributes = elementsOf(list.content).map((attribute): [string, Buffer[]] => {
    const [type, values] = elementsOf(attribute.content)
    return [
      textOf(type).toLowerCase(),
      values === undefined ? [] : elementsOf(values.content).map((one) => one.content),
    ]
  })
  return { dn: textOf(dn), attributes: new Map(attributes) }
}

/** Returns the cookie of the control that ends a page; undefined if the directory does not page. */
function cookieOf(controls: Element | undefined): Buffer | undefined {
  for (const control of controls?.tag === CONTROLS ? elementsOf(controls.content) : []) {
    const [type, ...rest] = elementsOf(control.content)
    const value = rest.at(-1)
    if (textOf(type) !== PAGED_RESULTS || value === undefined) continue
    const [sequence] = elementsOf(value.content)
    const [, cookie] = sequence === undefined ? [] : elementsOf(sequence.content)
    return cookie?.content
  }
  return undefined
}

/** Decodes a message. Throws BadMessage. */
export function decode(message: Buffer): Response {
  const [sequence] = elementsOf(message)
  const [first, operation, controls] = sequence === undefined ? [] : elementsOf(sequence.content)
  if (first === undefined || operation === undefined) throw new BadMessage('a message is empty')
  const id = numberOf(first)
  if (operation.tag === Operation.ENTRY) return { id, operation: operation.tag, entry: entryOf(operation.content) }
  if (operation.tag === Operation.REFERENCE) return { id, operation: operation.tag }
  const [code, , text] = elementsOf(operation.content)
  if (code === undefined) throw new BadMessage('a result has no code')
  return { id, operation: operation.tag, code: numberOf(code), text: textOf(text), cookie: cookieOf(controls) }
}
