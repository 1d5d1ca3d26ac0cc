// Texts for the issues that a schema finds in a form.
import { codePointOf, hiddenInName } from '@acc/contract/core/hidden'
import type { z } from 'zod'
import type { kitTexts } from '../texts/kit.texts.ts'
import type { Texts, Translate } from '../texts/texts.ts'

type Issue = z.core.$ZodIssue
type KitTexts = typeof kitTexts extends Texts<infer J> ? Translate<J> : never

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

function issueText(issue: Issue, value: unknown, own: string | undefined, t: KitTexts): string {
  if (isEmpty(value)) return t('form.required')
  if (issue.code === 'too_big')
    return issue.origin === 'string'
      ? t('form.tooLong', { max: Number(issue.maximum) })
      : t('form.tooBig', { max: Number(issue.maximum) })
  if (issue.code === 'too_small' && issue.origin === 'array') return t('form.required')
  if (issue.code === 'too_small' && !own)
    return issue.origin === 'string'
      ? t('form.tooShort', { min: Number(issue.minimum) })
      : t('form.tooSmall', { min: Number(issue.minimum) })
  if (issue.code === 'custom' && issue.message === 'duplicate') return t('form.duplicate')
  const hidden = issue.code === 'custom' && issue.message === 'hidden' ? hiddenInName(String(value)) : undefined
  if (hidden !== undefined) return t('form.hidden', { character: codePointOf(hidden) })
  return own ?? t('form.format')
}

/** Returns a text for the first issue of each field. `own` describes the format of a field. */
export function issuesByField(
  issues: readonly Issue[],
  values: Record<string, unknown>,
  own: Partial<Record<string, string>>,
  t: KitTexts,
): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const issue of issues) {
    const name = String(issue.path[0] ?? '')
    texts[name] ??= issueText(issue, values[name], own[name], t)
  }
  return texts
}
