// What is wrong with a configuration, and where. The server judges it again when it is saved.
import { SaxesParser } from 'saxes'

export type ConfigLanguage = 'xml' | 'json'
export type ConfigFault = { kind: 'doctype' | 'xmlFault' | 'jsonFault'; at: number }

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

function jsonFault(text: string): ConfigFault | null {
  const error = parseError(text)
  // Backslashes that were not doubled are accepted (spec S1 §5).
  if (error === null || parseError(text.replaceAll('\\', '\\\\')) === null) return null
  const at = /position (\d+)/.exec(error.message)?.[1]
  return { kind: 'jsonFault', at: Math.min(at === undefined ? text.length : Number(at), text.length) }
}

/** Returns the first fault, or null. An empty text is accepted. */
export function faultOf(language: ConfigLanguage, text: string): ConfigFault | null {
  if (text.trim() === '') return null
  return language === 'xml' ? xmlFault(text) : jsonFault(text)
}
