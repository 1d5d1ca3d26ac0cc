// Splits a file name into the part that may be shortened and the part that stays visible.

/** Bounds of the visible end: the extension and a few characters before it. */
const MIN_TAIL = 10
const MAX_TAIL = 14

const signs = new Intl.Segmenter('ko', { granularity: 'grapheme' })

/** The part that may be cut at its end, and the one that is always whole: `['연간 사업 계획 최', '종본 v2.hwpx']`. */
export function splitFileName(name: string): [head: string, tail: string] {
  const all = Array.from(signs.segment(name), ({ segment }) => segment)
  const dot = all.lastIndexOf('.')
  const ending = dot < 0 ? 0 : all.length - dot
  const at = Math.max(0, all.length - Math.min(MAX_TAIL, Math.max(MIN_TAIL, ending + 2)))
  return [all.slice(0, at).join(''), all.slice(at).join('')]
}
