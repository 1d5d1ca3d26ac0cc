// Text for a terminal: tables that stay aligned with Korean in them, and no characters that could control it.

/** Returns foreign text as one line, without control characters and direction marks. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()

// The blocks that terminals draw two cells wide: Hangul, kana, Chinese characters, full-width forms, emoji.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const widthOf = (character: string) => (WIDE.test(character) ? 2 : /\p{M}/u.test(character) ? 0 : 1)

/** Returns the width of a text in terminal cells. */
export const displayWidth = (text: string): number => [...text].reduce((sum, character) => sum + widthOf(character), 0)

/** Truncates a text to `width` cells and marks the cut. */
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

/** Returns rows as lines with aligned columns; the last column is not padded. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = []
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, displayWidth(cell))
  return rows.map((row) =>
    row.map((cell, at) => (at === row.length - 1 ? cell : pad(cell, widths[at] ?? 0))).join('  '),
  )
}
