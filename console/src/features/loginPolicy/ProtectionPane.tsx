// Account protection: former and common passwords, reminders, unused accounts.
import { api } from '@acc/contract'
import type { DataOf } from '@acc/contract/core/route'
import { NumberInput, Switch } from '@mantine/core'
import { useApiQuery } from '../../kit/api/query.ts'
import { type FieldWords, HeldForm } from '../../kit/form/conflictGuard.tsx'
import { Fields, PaneForm } from '../../kit/form/PaneForm.tsx'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { Hint } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { unitSuffix, useTexts } from '../../kit/texts/texts.ts'
import { loginPolicyTexts } from './loginPolicy.ts'

type Protection = DataOf<typeof api.loginPolicy.findProtection>
const NUMBERS = [
  ['passwordHistory', 'count', 10],
  ['minPasswordDays', 'days', 30],
  ['maxPasswordDays', 'days', 3650],
  ['dormantDays', 'days', 3650],
] as const
const SWITCHES = ['commonPasswords', 'contextWords', 'expiryReminders', 'changeMails'] as const

function ProtectionForm({ protection }: { protection: Protection }) {
  const t = useTexts(loginPolicyTexts)
  const { revision, ...initial } = protection
  const form = useApiForm(api.loginPolicy.setProtection, {
    initial,
    fixed: { revision },
    messages: { dormantDays: t('protection.tooFewDays'), maxPasswordDays: t('protection.tooFewDays') },
  })
  return (
    <PaneForm form={form}>
      <Hint>{t('protection.hint')}</Hint>
      <Fields>
        {NUMBERS.map(([name, unit, max]) => (
          <NumberInput
            key={name}
            label={t(`protection.${name}`)}
            description={t(`protection.${name}Hint`)}
            suffix={unitSuffix(t(`protection.${unit}`))}
            {...form.field(name)}
            max={max}
            maw={520}
          />
        ))}
        {SWITCHES.map((name) => (
          <Switch
            key={name}
            label={t(`protection.${name}`)}
            checked={form.values[name] === 1}
            onChange={(event) => form.set(name, event.currentTarget.checked ? 1 : 0)}
          />
        ))}
      </Fields>
    </PaneForm>
  )
}

export function ProtectionPane() {
  const t = useTexts(loginPolicyTexts)
  const wordsOf = (one: Protection): FieldWords => [
    ...NUMBERS.map(
      ([name, unit]) => [t(`protection.${name}`), one[name] + unitSuffix(t(`protection.${unit}`)), name] as const,
    ),
    ...SWITCHES.map(
      (name) => [t(`protection.${name}`), t(one[name] === 1 ? 'protection.on' : 'protection.off'), name] as const,
    ),
  ]
  return (
    <QueryState of={useApiQuery(api.loginPolicy.findProtection, {})}>
      {(latest) => (
        <HeldForm latest={latest} wordsOf={wordsOf}>
          {(protection) => <ProtectionForm protection={protection} />}
        </HeldForm>
      )}
    </QueryState>
  )
}
