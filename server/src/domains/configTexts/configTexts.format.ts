// The format of the configurations for desktop clients: well-formed XML without a document type, or JSON. Both remain
// texts; nothing of them is interpreted here.
import { setImmediate } from 'node:timers/promises'
import { HOST_PLACEHOLDER } from '@acc/contract/configTexts'
import { isNestedDeeper } from '../../core/nesting.ts'

export const ConfigKind = { SITE_CONFIG: 0, CLIENT_POLICY: 1 } as const
export type ConfigKind = (typeof ConfigKind)[keyof typeof ConfigKind]

/** Elements, arrays and objects within one another at most. */
const MAX_DEPTH = 200
/** Maximum number of attributes of an element: the parser checks them all at once. */
const MAX_ATTRIBUTES = 1000
/** Characters that are parsed at once; other calls run in between. */
const STEP = 64 * 1024

/** Ends the parser at the first fault: of a hostile text each character could be one. */
function refuse(reason: string): never {
  throw new Error(reason)
}

/** Whether a text is well-formed XML. Document types are refused, with the entities and external files they declare. */
async function isXml(text: string): Promise<boolean> {
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser()
  let depth = 0
  let attributes = 0
  parser.on('error', ({ message }) => refuse(message))
  parser.on('doctype', () => refuse('a document type'))
  parser.on('attribute', () => {
    if (++attributes > MAX_ATTRIBUTES) refuse('too many attributes')
  })
  parser.on('opentag', () => {
    attributes = 0
    if (++depth > MAX_DEPTH) refuse('too deep')
  })
  parser.on('closetag', () => {
    depth--
  })
  try {
    for (let at = 0; at < text.length; at += STEP) {
      parser.write(text.slice(at, at + STEP))
      await setImmediate()
    }
    parser.close()
    return true
  } catch {
    return false
  }
}

function parses(text: string): boolean {
  if (isNestedDeeper(text, MAX_DEPTH)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const withDoubled = (text: string): string => text.replaceAll('\\', '\\\\')

/** Whether a text is JSON, also if backslashes, as of Windows paths, were not doubled (spec S1 §5). */
const isJson = (text: string): boolean => parses(text) || parses(withDoubled(text))

/** Returns a stored client policy as JSON for any parser: doubles its backslashes if it does not parse otherwise. */
const asJson = (text: string): string => (!text.includes('\\') || parses(text) ? text : withDoubled(text))

/** Whether a configuration has its format; an empty one is accepted. */
export const isConfigText = async (kind: ConfigKind, text: string): Promise<boolean> =>
  text.trim() === '' || (kind === ConfigKind.SITE_CONFIG ? isXml(text) : isJson(text))

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }
const ESCAPES = {
  [ConfigKind.SITE_CONFIG]: (host: string) => host.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? ''),
  [ConfigKind.CLIENT_POLICY]: (host: string) => JSON.stringify(host).slice(1, -1),
}

/** Returns a configuration for clients: replaces its placeholder by the host server address, escaped for the format. */
export const configForClients = (kind: ConfigKind, text: string, host: string): string =>
  (kind === ConfigKind.CLIENT_POLICY ? asJson(text) : text).replaceAll(HOST_PLACEHOLDER, () => ESCAPES[kind](host))
