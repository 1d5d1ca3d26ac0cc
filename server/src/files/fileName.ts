// File names as users gave them, made safe to hand out (threats D1, D2): in a zip, in a header, on Windows, macOS and
// Linux. The stored name stays what the user wrote; this is what another person's computer gets to see.

import { withoutHidden } from '@acc/contract/core/hidden'

const MAX_BYTES = 240 // of UTF-8; file systems allow 255, and a number may still be added
// Control characters, line separators, private use, lone surrogates.
const NO_TEXT = /[\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu
const FORBIDDEN = /[<>:"|?*]/g
// What Windows takes for a device, whatever the extension.
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/i

/**
 * The name alone: no path, nothing invisible, nothing that a system takes for something else, at most 240 bytes. Never
 * empty.
 */
export function safeFileName(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  // macOS sends Korean names decomposed, which Windows shows as loose letters.
  const clean = withoutHidden(base.replace(NO_TEXT, '')).normalize('NFC').replace(FORBIDDEN, '_').trim()
  const { stem, extension } = splitName(clean)
  // Where an emoji of several parts is cut through, what tied them is left.
  const cut = trimEnd(withoutHidden(cutTo(stem, MAX_BYTES - Buffer.byteLength(extension)) + extension))
  if (cut === '') return 'file'
  return DEVICE.test(cut) ? `_${cut}` : cut
}

/** Safe names, in order, no two of which a system that ignores case takes for the same: `a.txt`, `A (2).txt`. */
export function uniqueFileNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  const next = new Map<string, number>()
  return names.map((name) => {
    const safe = safeFileName(name)
    const { stem, extension } = splitName(safe)
    let unique = safe
    for (let number = next.get(fold(safe)) ?? 2; taken.has(fold(unique)); number++) {
      unique = `${stem} (${number})${extension}`
      next.set(fold(safe), number + 1)
    }
    taken.add(fold(unique))
    return unique
  })
}

function splitName(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 ? name.slice(dot) : ''
  // What follows the last dot of a sentence is no extension.
  return extension.length > 20
    ? { stem: name, extension: '' }
    : { stem: name.slice(0, name.length - extension.length), extension }
}

function cutTo(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  let cut = ''
  let length = 0
  for (const character of text) {
    length += Buffer.byteLength(character)
    if (length > bytes) break
    cut += character
  }
  return cut
}

/** Windows drops dots and spaces at the end, so that two names could become one. */
function trimEnd(name: string): string {
  return name.replace(/[\s.]+$/u, '')
}

function fold(name: string): string {
  return name.toUpperCase().toLowerCase().normalize('NFC')
}
