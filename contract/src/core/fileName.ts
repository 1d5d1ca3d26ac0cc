// Makes file names given by users safe to write on Windows, macOS and Linux: in a zip, in a header, in a download
// folder. The stored name keeps what the user wrote.

import { withoutHidden } from './hidden.ts'

/** Bytes of UTF-8; file systems allow 255, and a number may be added. */
const MAX_BYTES = 240
// Control characters, line separators, private use, lone surrogates.
const NO_TEXT = /[\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu
const FORBIDDEN = /[<>:"|?*]/g
// Device names of Windows, with any extension.
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/i

const encoder = new TextEncoder()
const byteLength = (text: string) => encoder.encode(text).length

/** Returns the name without a path, invisible characters or names reserved by a system; 1 to 241 bytes. */
export function safeFileName(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  // macOS sends Korean names decomposed, which Windows shows as loose letters.
  const clean = withoutHidden(base.replace(NO_TEXT, '')).normalize('NFC').replace(FORBIDDEN, '_').trim()
  const { stem, extension } = splitName(clean)
  // Cutting an emoji of several parts leaves an invisible joiner behind.
  const cut = trimEnd(withoutHidden(cutTo(stem, MAX_BYTES - byteLength(extension)) + extension))
  if (cut === '') return 'file'
  return DEVICE.test(cut) ? `_${cut}` : cut
}

/** Returns safe names in the same order, unique also where case is ignored: `a.txt`, `A (2).txt`. */
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
  // A long text after the last dot is the end of a sentence, not an extension.
  return extension.length > 20
    ? { stem: name, extension: '' }
    : { stem: name.slice(0, name.length - extension.length), extension }
}

function cutTo(text: string, bytes: number): string {
  if (byteLength(text) <= bytes) return text
  let cut = ''
  let length = 0
  for (const character of text) {
    length += byteLength(character)
    if (length > bytes) break
    cut += character
  }
  return cut
}

/** Windows drops trailing dots and spaces, which could make two names equal. */
function trimEnd(name: string): string {
  return name.replace(/[\s.]+$/u, '')
}

function fold(name: string): string {
  return name.toUpperCase().toLowerCase().normalize('NFC')
}
