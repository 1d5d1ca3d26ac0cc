// Several people in a sentence: the first by name, the others as a number.
import { kitTexts } from './kit.texts.ts'
import { text } from './texts.ts'

const NAMED = 3

/** Returns "Kim, Lee, Park, and 4 others". A person who occurs twice is named once. */
export function peopleNames(people: readonly { id: string; name: string }[]): string {
  const names = [...new Map(people.map(({ id, name }) => [id, name])).values()]
  const first = names.slice(0, NAMED).join(', ')
  const count = names.length - NAMED
  return count > 0 ? text(kitTexts, 'list.andOthers', { names: first, count }) : first
}
