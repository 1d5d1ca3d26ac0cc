// The texts of the kit itself; features take a word like `cancel` from here.
import { defineTexts, text, useTexts } from './texts.ts'

/**
 * Accessible names of buttons that several lists of a screen have. Returns the name of an action on the subject;
 * without a subject the action's own word.
 */
export function useNameOf(subject: string | undefined): (action: string) => string {
  const t = useTexts(kitTexts)
  return (action) => (subject === undefined ? action : t('named', { name: subject, action }))
}

const NAMED = 3

/**
 * Several people in a sentence: the first by name, the others as a number. Returns "Kim, Lee, Park, and 4 others". A
 * person who occurs twice is named once.
 */
export function peopleNames(people: readonly { id: string; name: string }[]): string {
  const names = [...new Map(people.map(({ id, name }) => [id, name])).values()]
  const first = names.slice(0, NAMED).join(', ')
  const count = names.length - NAMED
  return count > 0 ? text(kitTexts, 'list.andOthers', { names: first, count }) : first
}

export const kitTexts = defineTexts(
  () => import('./kit.ko.json'),
  () => import('./kit.en.json'),
)
