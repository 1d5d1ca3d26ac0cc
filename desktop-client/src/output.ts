// Text for a terminal: tables whose columns line up with Korean in them, and nothing that could control the terminal.

/** One line of text that others wrote: control characters and direction marks would let it draw over the terminal. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()

// The blocks that terminals draw two cells wide: Hangul, kana, Chinese characters, full-width forms, emoji.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const widthOf = (character: string) => (WIDE.test(character) ? 2 : /\p{M}/u.test(character) ? 0 : 1)

/** Cells that a text takes on a terminal. */
export const displayWidth = (text: string): number => [...text].reduce((sum, character) => sum + widthOf(character), 0)

/** The text in at most `width` cells, with a sign where something was cut off. */
export function fit(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let cut = ''
  let used = 1
  for (const character of text) {
    used += widthOf(character)
    if (used > width) break
    cut += character
  }
  return `${cut}…`
}

const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - displayWidth(text)))

/** Rows as lines with their columns in line; the last column is not filled up. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = []
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, displayWidth(cell))
  return rows.map((row) =>
    row.map((cell, at) => (at === row.length - 1 ? cell : pad(cell, widths[at] ?? 0))).join('  '),
  )
}
