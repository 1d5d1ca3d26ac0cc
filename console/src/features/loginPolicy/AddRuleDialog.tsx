// Adding a password rule: a preset, or a name and a regular expression (spec S2 §2.7, §5).
import type { PasswordRule } from '@acc/contract/configs'
import { faultOfRule, PASSWORD_PRESETS, PRESET_NAMES, presetRule } from '@acc/contract/labels/passwordRules'
import { MAX_REGEX, NewPasswordRule } from '@acc/contract/loginPolicy'
import { Select, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { useFocusOnError } from '../../kit/form/formFields.ts'
import { maxLengthOf } from '../../kit/form/formInput.ts'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { loginPolicyTexts } from './loginPolicy.ts'

type Props = {
  title: string
  /** The rules of the list, and those of the other one. */
  same: readonly PasswordRule[]
  other: readonly PasswordRule[]
  onAdd: (rule: PasswordRule) => void
  onClose: () => void
}
type Errors = { preset?: string; name?: string; reg?: string }
const CUSTOM = 'custom'
/** What is unsaved is the form below, which stays. */
const goOn = () => Promise.resolve(true)

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
export function AddRuleDialog({ title, same, other, onAdd, onClose }: Props) {
  const t = useTexts(loginPolicyTexts)
  const kit = useTexts(kitTexts)
  const language = useLanguage()
  const [choice, setChoice] = useState<string>(CUSTOM)
  const [name, setName] = useState('')
  const [reg, setReg] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const errorsOf = useErrorsOf(same, other)
  const focusError = useFocusOnError()
  const preset = PRESET_NAMES.find((one) => one === choice)
  const rule: PasswordRule = preset === undefined ? { name: name.trim(), reg } : presetRule(preset)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = errorsOf(rule)
    setErrors(found)
    if (Object.keys(found).length === 0) onAdd(rule)
    else focusError(event.currentTarget)
  }
  const choose = (value: string | null) => {
    setChoice(value ?? CUSTOM)
    setErrors({})
  }
  return (
    <FormDialog
      title={title}
      action={kit('add')}
      form={{ submit, isSaving: false }}
      onClose={onClose}
      width={600}
      confirmClose={goOn}
    >
      <Select
        label={t('rules.preset')}
        data={[
          { value: CUSTOM, label: t('rules.custom') },
          ...PRESET_NAMES.map((value) => ({ value, label: PASSWORD_PRESETS[value][language] })),
        ]}
        value={choice}
        onChange={choose}
        error={errors.preset}
        data-autofocus
      />
      {preset === undefined && (
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
        withAsterisk={preset === undefined}
        description={preset === undefined && t('rules.regHint')}
        value={rule.reg}
        readOnly={preset !== undefined}
        onChange={(event) => setReg(event.currentTarget.value)}
        error={errors.reg}
        maxLength={MAX_REGEX}
        styles={{ input: { fontFamily: 'var(--mono)' } }}
        spellCheck={false}
      />
    </FormDialog>
  )
}
