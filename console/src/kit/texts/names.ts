// Accessible names of buttons that several lists of a screen have.
import { kitTexts } from './kit.texts.ts'
import { useTexts } from './texts.ts'

/** Returns the name of an action on the subject; without a subject the action's own word. */
export function useNameOf(subject: string | undefined): (action: string) => string {
  const t = useTexts(kitTexts)
  return (action) => (subject === undefined ? action : t('named', { name: subject, action }))
}
