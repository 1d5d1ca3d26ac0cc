// The password rules in two lists side by side (spec S2 §2.7, §4, §5).
import { api } from '@acc/contract'
import type { PasswordRule } from '@acc/contract/configs'
import type { DataOf } from '@acc/contract/core/route'
import { MAX_RULES, RuleFault } from '@acc/contract/loginPolicy'
import { useState } from 'react'
import { useApiQuery } from '../../kit/api/query.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { HeldForm } from '../../kit/form/conflictGuard.tsx'
import { PaneForm } from '../../kit/form/PaneForm.tsx'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { Hint } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { EditableList } from '../../kit/table/EditableList.tsx'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import css from './LoginPolicy.module.css'
import { duplicatesIn, loginPolicyTexts, ruleName } from './loginPolicy.ts'
import { RuleDialog } from './RuleDialog.tsx'

type Lists = DataOf<typeof api.loginPolicy.findPasswordRules>['pwRules']
type ListName = keyof Lists
const OTHER = { positiveRules: 'negativeRules', negativeRules: 'positiveRules' } as const
const SIGN = { positiveRules: 'positive', negativeRules: 'negative' } as const
const EMPTY = { positiveRules: 'noPositive', negativeRules: 'noNegative' } as const
const EDIT = { positiveRules: 'editPositive', negativeRules: 'editNegative' } as const
const ADD = { positiveRules: 'addPositive', negativeRules: 'addNegative' } as const

type ListProps = {
  name: ListName
  rules: readonly PasswordRule[]
  stored: readonly PasswordRule[]
  duplicates: ReadonlySet<PasswordRule>
  onAdd: () => void
  onEdit: (rule: PasswordRule) => void
  onChange: (rules: PasswordRule[]) => void
}

function RuleList({ name, rules, stored, duplicates, onAdd, onEdit, onChange }: ListProps) {
  const t = useTexts(loginPolicyTexts)
  const language = useLanguage()
  const items = rules.map((rule, at) => ({ idx: at + 1, rule }))
  const open = () => {
    if (rules.length < MAX_RULES) onAdd()
    else void showMessage({ title: t(`rules.${ADD[name]}`), body: t('rules.full', { max: MAX_RULES }) })
  }
  return (
    <EditableList
      title={t(`rules.${SIGN[name]}`)}
      items={items}
      nameOf={({ rule }) => ruleName(rule, language)}
      columns={[
        {
          title: t('rules.name'),
          width: 200,
          render: ({ rule }) => (
            <>
              {ruleName(rule, language)}
              {duplicates.has(rule) && <small className={css.error}>{t('rules.duplicate')}</small>}
            </>
          ),
        },
        {
          title: t('rules.reg'),
          render: ({ rule }) => (
            <code className={css.reg} title={rule.reg}>
              {rule.reg}
            </code>
          ),
        },
      ]}
      empty={t(`rules.${EMPTY[name]}`)}
      rowsPerPage={10}
      isChanged={({ rule }) => !stored.some((one) => one.name === rule.name && one.reg === rule.reg)}
      namingCells={1}
      onAdd={open}
      onEdit={({ rule }) => onEdit(rule)}
      onRemove={(removed) => {
        const gone = new Set(removed.map(({ rule }) => rule))
        onChange(rules.filter((rule) => !gone.has(rule)))
      }}
    />
  )
}

/** Returns the text of a 147, which names the rule. */
function useUnsafeText() {
  const t = useTexts(loginPolicyTexts)
  return (data: unknown): string | undefined => {
    const fault = RuleFault.safeParse(data)
    return fault.success ? t('rules.unsafe', fault.data) : undefined
  }
}

function RulesForm({ pwRules, revision }: { pwRules: Lists; revision: number }) {
  const t = useTexts(loginPolicyTexts)
  const [open, setOpen] = useState<{ name: ListName; rule?: PasswordRule }>()
  const unsafeText = useUnsafeText()
  const form = useApiForm(api.loginPolicy.setPasswordRules, {
    initial: { positiveRules: pwRules.positiveRules, negativeRules: pwRules.negativeRules },
    fixed: { revision },
    fields: {
      DUPLICATE_NAME: 'positiveRules',
      DUPLICATE_REGEX: 'positiveRules',
      UNSAFE_REGEX: 'positiveRules',
      UNSATISFIABLE_RULES: 'positiveRules',
    },
    texts: { UNSAFE_REGEX: unsafeText },
  })
  const lists = form.values
  const duplicatesOf = (name: ListName) => duplicatesIn(lists[name], lists[OTHER[name]])
  const { error } = form.field('positiveRules')
  const apply = (rule: PasswordRule) => {
    if (open === undefined) return
    const rules = lists[open.name]
    form.set(open.name, open.rule ? rules.map((one) => (one === open.rule ? rule : one)) : [...rules, rule])
    setOpen(undefined)
  }
  const isDuplicate = duplicatesOf('positiveRules').size > 0
  return (
    <PaneForm form={form} whyDisabled={isDuplicate ? t('rules.duplicate') : undefined}>
      <Hint>{t('rules.hint')}</Hint>
      {error && (
        <p className={css.error} role="alert">
          {error}
        </p>
      )}
      <div className={css.pair}>
        {(['positiveRules', 'negativeRules'] as const).map((name) => (
          <RuleList
            key={name}
            name={name}
            rules={lists[name]}
            stored={pwRules[name]}
            duplicates={duplicatesOf(name)}
            onAdd={() => setOpen({ name })}
            onEdit={(rule) => setOpen({ name, rule })}
            onChange={(rules) => form.set(name, rules)}
          />
        ))}
      </div>
      {open && (
        <RuleDialog
          title={t(`rules.${(open.rule ? EDIT : ADD)[open.name]}`)}
          rule={open.rule}
          same={lists[open.name].filter((one) => one !== open.rule)}
          other={lists[OTHER[open.name]]}
          onClose={() => setOpen(undefined)}
          onApply={apply}
        />
      )}
    </PaneForm>
  )
}

export function PasswordRulesPane() {
  const t = useTexts(loginPolicyTexts)
  const language = useLanguage()
  const words = (rules: readonly PasswordRule[]) =>
    rules.map((rule) => `${ruleName(rule, language)} (${rule.reg})`).join(', ')
  return (
    <QueryState of={useApiQuery(api.loginPolicy.findPasswordRules, {})}>
      {(data) => (
        <HeldForm
          latest={data}
          wordsOf={({ pwRules }) => [
            [t('rules.positive'), words(pwRules.positiveRules), 'positiveRules'],
            [t('rules.negative'), words(pwRules.negativeRules), 'negativeRules'],
          ]}
        >
          {(record) => <RulesForm {...record} />}
        </HeldForm>
      )}
    </QueryState>
  )
}
