// Account protection: former and common passwords, reminders, unused accounts.
import { api } from '@acc/contract'
import type { DataOf } from '@acc/contract/core/route'
import { NumberInput, Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import { Fields, PaneForm } from '../../kit/form/PaneForm.tsx'
import { SaveBar } from '../../kit/form/SaveBar.tsx'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { compareBy, type FieldWords, useConflictGuard } from '../../kit/form/useConflictGuard.tsx'
import { Hint, Pane } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { unitSuffix } from '../../kit/texts/formatNumber.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { loginPolicyTexts, useProtection } from './loginPolicy.ts'

type Protection = DataOf<typeof api.loginPolicy.findProtection>
type FormProps = { protection: Protection; conflictNotice: ReactNode; whyDisabled: string | undefined }
const NUMBERS = [
  ['passwordHistory', 'count', 10],
  ['minPasswordDays', 'days', 30],
  ['maxPasswordDays', 'days', 3650],
  ['dormantDays', 'days', 3650],
] as const
const SWITCHES = ['commonPasswords', 'contextWords', 'expiryReminders', 'changeMails'] as const

function ProtectionForm({ protection, conflictNotice, whyDisabled }: FormProps) {
  const t = useTexts(loginPolicyTexts)
  const { revision, ...initial } = protection
  const form = useApiForm(api.loginPolicy.setProtection, {
    initial,
    fixed: { revision },
    messages: { dormantDays: t('protection.tooFewDays'), maxPasswordDays: t('protection.tooFewDays') },
  })
  const reason = whyDisabled ?? (form.isDirty ? undefined : t('unchanged'))
  return (
    <PaneForm form={form}>
      <Pane foot={<SaveBar form={form} {...(reason ? { whyDisabled: reason } : {})} />}>
        {conflictNotice}
        <Hint>{t('protection.hint')}</Hint>
        <Fields>
          {NUMBERS.map(([name, unit, max]) => (
            <NumberInput
              key={name}
              label={t(`protection.${name}`)}
              description={t(`protection.${name}Hint`)}
              suffix={unitSuffix(t(`protection.${unit}`))}
              allowDecimal={false}
              allowNegative={false}
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
      </Pane>
    </PaneForm>
  )
}

function HeldProtection({ latest, whyDisabled }: { latest: Protection; whyDisabled: string | undefined }) {
  const t = useTexts(loginPolicyTexts)
  const record = { idx: 1, revision: latest.revision, protection: latest }
  const wordsOf = (one: typeof record): FieldWords => [
    ...NUMBERS.map(
      ([name, unit]) => [t(`protection.${name}`), one.protection[name] + unitSuffix(t(`protection.${unit}`))] as const,
    ),
    ...SWITCHES.map(
      (name) => [t(`protection.${name}`), t(one.protection[name] === 1 ? 'protection.on' : 'protection.off')] as const,
    ),
  ]
  const guard = useConflictGuard(record, compareBy(wordsOf))
  return (
    <ProtectionForm
      key={guard.record.revision}
      protection={guard.record.protection}
      conflictNotice={guard.conflictNotice}
      whyDisabled={whyDisabled}
    />
  )
}

export function ProtectionPane() {
  return (
    <QueryState of={useProtection()}>
      {(protection, { whyDisabled }) => <HeldProtection latest={protection} whyDisabled={whyDisabled} />}
    </QueryState>
  )
}
