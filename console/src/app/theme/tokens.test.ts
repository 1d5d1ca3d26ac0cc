// The greys have enough contrast in both themes: WCAG 2.2, 1.4.3 for text and 1.4.11 for the borders of controls.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')
const [light = '', dark = ''] = css.split('[data-mantine-color-scheme="dark"]')

function color(theme: string, name: string): number[] {
  const hex = new RegExp(`--${name}: #([0-9a-f]{3,6});`).exec(theme)?.[1] ?? ''
  const long = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex
  return [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16) / 255)
}

/** Relative luminance (WCAG 2.2). */
function luminance(rgb: number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(theme: string, one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(color(theme, one)), luminance(color(theme, other))].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

describe.each([
  ['light', light],
  ['dark', dark],
])('%s', (_, theme) => {
  test.each(['ink', 'ink-2', 'ink-3', 'accent', 'ok', 'warn', 'bad'])('%s can be read on every background', (ink) => {
    for (const ground of ['bg', 'bg-2']) expect(contrast(theme, ink, ground)).toBeGreaterThanOrEqual(4.5)
  })
  test('the bounds of controls stand out from the backgrounds around and inside them', () => {
    for (const ground of ['bg', 'bg-2']) expect(contrast(theme, 'line-3', ground)).toBeGreaterThanOrEqual(3)
  })
})
