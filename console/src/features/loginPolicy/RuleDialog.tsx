// A password rule, new or changed: a preset, a number of characters, or a name and a regular expression (spec S2 §2.7,
// §5).
import type { PasswordRule } from '@acc/contract/configs'
import { MAX_LENGTH } from '@acc/contract/core/limits'
import { faultOfRule, PASSWORD_PRESETS, PRESET_NAMES, presetRule } from '@acc/contract/labels/passwordRules'
import { MAX_REGEX, NewPasswordRule } from '@acc/contract/loginPolicy'
import { NumberInput, Select, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { useFocusOnError } from '../../kit/form/formFields.ts'
import { maxLengthOf } from '../../kit/form/formInput.ts'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { loginPolicyTexts } from './loginPolicy.ts'

type Props = {
  title: string
  /** The rule to change; undefined for a new one. */
  rule: PasswordRule | undefined
  /** The other rules of the list, and those of the other list. */
  same: readonly PasswordRule[]
  other: readonly PasswordRule[]
  onApply: (rule: PasswordRule) => void
  onClose: () => void
}
type Errors = { preset?: string; length?: string; name?: string; reg?: string }
const CUSTOM = 'custom'
const LENGTH = 'length'
const NEW_LENGTH = 12
/** At least so many characters. */
const LENGTH_REG = /^\^\.\{(\d+),\}\$$/
const lengthReg = (count: number) => `^.{${count},}$`
/** What is unsaved is the form below, which stays. */
const goOn = () => Promise.resolve(true)

/** Rules of a number of characters: eight are a preset, others have a name in the language of who sets them. */
function useLengthRules() {
  const t = useTexts(loginPolicyTexts)
  const ruleOf = (count: number): PasswordRule =>
    PASSWORD_PRESETS.length8.reg === lengthReg(count)
      ? presetRule('length8')
      : { name: t('rules.lengthName', { count }), reg: lengthReg(count) }
  /** Returns the number of such a rule; undefined for other rules. */
  const lengthOf = (rule: PasswordRule | undefined) => {
    const count = Number(LENGTH_REG.exec(rule?.reg ?? '')?.[1])
    return Number.isNaN(count) || ruleOf(count).name !== rule?.name ? undefined : count
  }
  return { ruleOf, lengthOf }
}

/** Returns the errors of a rule, empty if it can be added. */
function useErrorsOf(same: readonly PasswordRule[], other: readonly PasswordRule[]) {
  const t = useTexts(loginPolicyTexts)
  const kit = useTexts(kitTexts)
  return (rule: PasswordRule): Errors => {
    const { shape } = NewPasswordRule
    if (rule.preset !== undefined) {
      // A preset of the other list is added and marked, so that either of the two can be removed.
      const fault = faultOfRule(rule, same, [])
      return fault ? { preset: t(`rules.fault.${fault}`) } : {}
    }
    if (rule.name === '') return { name: t('rules.enterName'), ...(rule.reg === '' && { reg: t('rules.enterReg') }) }
    if (rule.reg === '') return { reg: t('rules.enterReg') }
    if (!shape.name.safeParse(rule.name).success) return { name: kit('form.format') }
    if (!shape.reg.safeParse(rule.reg).success) return { reg: t('rules.badReg') }
    const fault = faultOfRule(rule, same, other)
    if (fault === undefined) return {}
    return fault.endsWith('Name') ? { name: t(`rules.fault.${fault}`) } : { reg: t(`rules.fault.${fault}`) }
  }
}

/** Render it while it is open. */
export function RuleDialog({ title, rule: former, same, other, onApply, onClose }: Props) {
  const t = useTexts(loginPolicyTexts)
  const kit = useTexts(kitTexts)
  const language = useLanguage()
  const { ruleOf, lengthOf } = useLengthRules()
  const [length, setLength] = useState<number | string>(lengthOf(former) ?? NEW_LENGTH)
  const [choice, setChoice] = useState<string>(lengthOf(former) ? LENGTH : (former?.preset ?? CUSTOM))
  const [name, setName] = useState(former?.name ?? '')
  const [reg, setReg] = useState(former?.reg ?? '')
  const [errors, setErrors] = useState<Errors>({})
  const errorsOf = useErrorsOf(same, other)
  const focusError = useFocusOnError()
  const preset = PRESET_NAMES.find((one) => one === choice)
  const custom = choice === CUSTOM ? { name: name.trim(), reg } : undefined
  const rule: PasswordRule = custom ?? (preset === undefined ? ruleOf(Number(length)) : presetRule(preset))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isEmpty = choice === LENGTH && Number(length) === 0
    const found = isEmpty ? { length: kit('form.required') } : errorsOf(rule)
    setErrors(found)
    if (Object.keys(found).length === 0) onApply(rule)
    else focusError(event.currentTarget)
  }
  const choose = (value: string | null) => {
    setChoice(value ?? CUSTOM)
    setErrors({})
  }
  return (
    <FormDialog
      title={title}
      action={former === undefined ? kit('add') : t('rules.apply')}
      form={{ submit, isSaving: false }}
      onClose={onClose}
      width={600}
      confirmClose={goOn}
    >
      <Select
        label={t('rules.preset')}
        data={[
          { value: CUSTOM, label: t('rules.custom') },
          { value: LENGTH, label: t('rules.length') },
          ...PRESET_NAMES.map((value) => ({ value, label: PASSWORD_PRESETS[value][language] })),
        ]}
        value={choice}
        onChange={choose}
        error={errors.preset}
        data-autofocus
      />
      {choice === LENGTH && (
        <NumberInput
          label={t('rules.leastLength')}
          withAsterisk
          value={length}
          onChange={setLength}
          error={errors.length ?? errors.name ?? errors.reg}
          min={1}
          max={MAX_LENGTH.password}
          allowDecimal={false}
        />
      )}
      {custom && (
        <TextInput
          label={t('rules.name')}
          withAsterisk
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={errors.name}
          maxLength={maxLengthOf(NewPasswordRule.shape.name)}
        />
      )}
      <TextInput
        label={t('rules.reg')}
        withAsterisk={custom !== undefined}
        description={custom && t('rules.regHint')}
        value={rule.reg}
        readOnly={custom === undefined}
        onChange={(event) => setReg(event.currentTarget.value)}
        error={custom && errors.reg}
        maxLength={MAX_REGEX}
        styles={{ input: { fontFamily: 'var(--mono)' } }}
        spellCheck={false}
      />
    </FormDialog>
  )
}
