// The fields of an authority: name, description, a level for each page, managed groups. Read-only on the axis of users.
import { Level, PAGE_LABELS, PAGES, type Page } from '@acc/contract/labels/access'
import { Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { ChoiceField } from '../../kit/form/ChoiceField.tsx'
import { Fields } from '../../kit/form/PaneForm.tsx'
import { useLabel } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Authorities.module.css'
import { type AuthorityValues, authoritiesTexts } from './authorities.ts'
import { ManagedGroups } from './ManagedGroups.tsx'

type Name = keyof AuthorityValues
export type FieldsForm = {
  values: AuthorityValues
  set<K extends Name>(name: K, value: AuthorityValues[K]): void
  field: (name: Name) => { error?: ReactNode; wrapperProps?: { 'data-changed'?: true | undefined } }
  changed: readonly string[]
}

/** Returns a read-only form. */
export const formOf = (values: AuthorityValues): FieldsForm => ({
  values,
  set: () => undefined,
  field: () => ({}),
  changed: [],
})

function LevelField({ page, form, isReadOnly }: { page: Page; form: FieldsForm; isReadOnly: boolean }) {
  const labelOf = useLabel()
  const offered = Level.values.filter((level) => page !== 'log' || level !== Level.EDIT)
  return (
    <ChoiceField
      className={css.level}
      label={labelOf(PAGE_LABELS[page])}
      error={form.field(page).error}
      data-changed={form.changed.includes(page) || undefined}
      isReadOnly={isReadOnly}
      options={offered.map((value) => ({ value, label: labelOf(Level.labels[value]) }))}
      value={form.values[page]}
      onChange={(level) => {
        if (page !== 'log') form.set(page, level)
        else if (level !== Level.EDIT) form.set('log', level)
      }}
    />
  )
}

type Props = {
  form: FieldsForm
  isReadOnly?: boolean
  /** The names of the groups, since the tree may no longer contain them. */
  groups?: readonly { idx: number; name: string; path: string[] }[]
}

export function AuthorityFields({ form, isReadOnly = false, groups = [] }: Props) {
  const t = useTexts(authoritiesTexts)
  return (
    <Fields isReadOnly={isReadOnly}>
      <TextInput
        label={t('name')}
        required={!isReadOnly}
        readOnly={isReadOnly}
        value={form.values.name}
        {...form.field('name')}
      />
      <Textarea
        label={t('description')}
        rows={5}
        readOnly={isReadOnly}
        value={form.values.description}
        {...form.field('description')}
      />
      <fieldset className={css.levels}>
        <legend>{t('levels')}</legend>
        {PAGES.map((page) => (
          <LevelField key={page} page={page} form={form} isReadOnly={isReadOnly} />
        ))}
      </fieldset>
      <ManagedGroups form={form} isReadOnly={isReadOnly} known={groups} />
    </Fields>
  )
}
