// Measures how deep JSON is nested, before it is parsed. Nested arrays and objects take the parser most time.

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const OPENS = new Set([0x5b, 0x7b])
const CLOSES = new Set([0x5d, 0x7d])

/** Whether arrays and objects of a JSON text nest in more than `levels`. Of other texts it says nothing. */
export function isNestedDeeper(text: string, levels: number): boolean {
  let depth = 0
  let isInText = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isInText && code === BACKSLASH) at++
    else if (code === QUOTE) isInText = !isInText
    else if (isInText) continue
    else if (OPENS.has(code)) depth++
    else if (CLOSES.has(code)) depth--
    if (depth > levels) return true
  }
  return false
}
