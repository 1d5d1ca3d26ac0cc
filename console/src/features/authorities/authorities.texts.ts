import { defineTexts, type Translate } from '../../kit/texts/texts.ts'
import type ko from './authorities.ko.json'

export const authoritiesTexts = defineTexts(
  () => import('./authorities.ko.json'),
  () => import('./authorities.en.json'),
)

/** Text with the numbers of members and managed groups. */
export const sizeText = (
  t: Translate<typeof ko>,
  { userCount, groupCount }: { userCount: number; groupCount: number },
) => `${t('adminCount', { count: userCount })} · ${t('groupCount', { count: groupCount })}`
