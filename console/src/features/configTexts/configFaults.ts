// What is wrong with a configuration, or worth a hint, and where. The server checks it once more when it is saved.
import { SaxesParser } from 'saxes'

export type ConfigLanguage = 'xml' | 'json'
/** A `backslash` is a hint: such a text is accepted, and clients receive it with the backslash doubled. */
export type ConfigFault = { kind: 'doctype' | 'xmlFault' | 'jsonFault' | 'backslash'; at: number }

/** Hints of one text at most. */
const MAX_HINTS = 1000

function xmlFault(text: string): ConfigFault | null {
  const parser = new SaxesParser()
  let kind: ConfigFault['kind'] = 'xmlFault'
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', () => {
    kind = 'doctype'
    throw new Error(kind)
  })
  try {
    parser.write(text).close()
    return null
  } catch {
    return { kind, at: Math.min(Math.max(0, parser.position - 1), text.length) }
  }
}

const parseError = (text: string): Error | null => {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

const backslashesOf = (text: string): ConfigFault[] =>
  [...text.matchAll(/\\/g)].slice(0, MAX_HINTS).map(({ index }) => ({ kind: 'backslash', at: index }))

function jsonFaults(text: string): ConfigFault[] {
  const error = parseError(text)
  if (error === null) return []
  // Backslashes that were not doubled are accepted (spec S1 §5).
  if (parseError(text.replaceAll('\\', '\\\\')) === null) return backslashesOf(text)
  const at = /position (\d+)/.exec(error.message)?.[1]
  return [{ kind: 'jsonFault', at: Math.min(at === undefined ? text.length : Number(at), text.length) }]
}

/** Returns the first fault, or the hints. An empty text is accepted. */
export function faultsOf(language: ConfigLanguage, text: string): ConfigFault[] {
  if (text.trim() === '') return []
  if (language === 'json') return jsonFaults(text)
  const fault = xmlFault(text)
  return fault === null ? [] : [fault]
}
