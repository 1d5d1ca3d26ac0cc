// Names under which files of a request are saved. What the server names is somebody's text, not a path: it must not leave
// the chosen directory, stand for a device, hide its ending, or meet another file of the request.

import { withoutHidden } from '@acc/contract/core/hidden'

/** Bytes of UTF-8; file systems allow 255, and a number may still be added. */
const MAX_BYTES = 240
// Control characters, line separators, private use, lone surrogates.
const NO_TEXT = /[\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu
const FORBIDDEN = /[<>:"|?*]/g
// What Windows takes for a device, whatever the ending.
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/i

/** The name alone, safe on every system. Never empty. */
export function safeName(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  const clean = withoutHidden(base.replace(NO_TEXT, '')).normalize('NFC').replace(FORBIDDEN, '_').trim()
  const { stem, ending } = split(clean)
  // Where an emoji of several parts is cut through, what tied them is left.
  const short = withoutHidden(cut(stem, MAX_BYTES - Buffer.byteLength(ending)) + ending).replace(/[\s.]+$/u, '')
  if (short === '') return 'file'
  return DEVICE.test(short) ? `_${short}` : short
}

/** Safe names in order, no two of which a system that ignores case takes for the same: `a.txt`, `A (2).txt`. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const safe = safeName(name)
    const { stem, ending } = split(safe)
    let unique = safe
    for (let number = 2; taken.has(fold(unique)); number++) unique = `${stem} (${number})${ending}`
    taken.add(fold(unique))
    return unique
  })
}

const fold = (name: string) => name.toUpperCase().toLowerCase().normalize('NFC')

function split(name: string): { stem: string; ending: string } {
  const dot = name.lastIndexOf('.')
  // What follows the last dot of a sentence is no ending.
  if (dot <= 0 || name.length - dot > 20) return { stem: name, ending: '' }
  return { stem: name.slice(0, dot), ending: name.slice(dot) }
}

function cut(text: string, bytes: number): string {
  let kept = ''
  let length = 0
  for (const character of text) {
    length += Buffer.byteLength(character)
    if (length > bytes) break
    kept += character
  }
  return kept
}
