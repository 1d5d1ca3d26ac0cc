// Puts all mutants of a file into its text, each behind a switch: so a file is loaded once for all of them.
import { join } from 'node:path'
import type { Mutant } from './mutants.ts'

const SWITCH = join(import.meta.dirname, 'switch.ts')

/** The mutants of one place, and the places within it. */
type Place = { start: number; end: number; mutants: Mutant[]; within: Place[] }

function placesOf(mutants: readonly Mutant[]): Place[] {
  const top: Place[] = []
  const open: Place[] = []
  const outerFirst = mutants.toSorted((a, b) => a.start - b.start || b.end - a.end)
  for (const mutant of outerFirst) {
    const { start, end } = mutant
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= start) open.pop()
    const around = open.at(-1)
    if (around?.start === start && around.end === end) around.mutants.push(mutant)
    else {
      const place = { start, end, mutants: [mutant], within: [] }
      ;(around?.within ?? top).push(place)
      open.push(place)
    }
  }
  return top
}

function textOf(text: string, start: number, end: number, places: readonly Place[]): string {
  let at = start
  let result = ''
  for (const place of places) {
    result += text.slice(at, place.start) + switched(text, place)
    at = place.end
  }
  return result + text.slice(at, end)
}

function switched(text: string, { start, end, mutants, within }: Place): string {
  const original = textOf(text, start, end, within)
  if (mutants.some(({ replacement }) => replacement === ';'))
    return `{ if (!${mutants.map(({ id }) => `mutations.isOn(${id})`)}) ${original} }`
  const choice = mutants.map(({ id, replacement }) => `mutations.isOn(${id}) ? ${replacement} : `).join('')
  const isList = mutants.some(({ kind, replacement }) => kind !== 'history' && replacement.startsWith('['))
  return isList ? `mutations.chosen(() => (${choice}${original}))` : `(${choice}${original})`
}

/** Returns a file's text with a switch at each mutant. */
export const instrument = (text: string, mutants: readonly Mutant[]): string =>
  `import * as mutations from '${SWITCH}';${textOf(text, 0, text.length, placesOf(mutants))}`
