// Preset password rules (spec S2 §5) with their regular expressions, and the two lists of rules. Free of zod.
import { enumOf, type Label } from './enumOf.ts'

/** A new password must match every positive rule and no negative rule. */
export const PasswordRuleList = enumOf({
  POSITIVE: { value: 0, ko: '성공 규칙', en: 'Success rule' },
  NEGATIVE: { value: 1, ko: '실패 규칙', en: 'Failure rule' },
})

const runsOf = (line: string, length: number) =>
  Array.from({ length: Math.max(0, line.length - length + 1) }, (_, i) => line.slice(i, i + length))
const bothWays = (run: string) => [run, [...run].reverse().join('')]
const anyOf = (lines: string[], length: number) =>
  [...new Set(lines.flatMap((line) => runsOf(line, length)).flatMap(bothWays))].join('|')
const anyCase = (letters: string) => letters.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)

const KEYBOARD_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const KEYBOARD_COLUMNS = ['qaz', 'wsx', 'edc', 'rfv', 'tgb', 'yhn', 'ujm']

type Preset = Label & { readonly reg: string }

/** What each preset matches, in the order of the specification. */
export const PASSWORD_PRESETS = {
  uppercase: { ko: '영문 대문자 1자 이상', en: 'One or more uppercase letters', reg: '[A-Z]' },
  lowercase: { ko: '영문 소문자 1자 이상', en: 'One or more lowercase letters', reg: '[a-z]' },
  digit: { ko: '숫자 1자 이상', en: 'One or more digits', reg: '[0-9]' },
  special: { ko: '특수문자 1자 이상', en: 'One or more special characters', reg: '[!-/:-@\\[-`{-~]' },
  length8: { ko: '8자 이상', en: 'At least 8 characters', reg: '^.{8,}$' },
  whitespace: { ko: '공백 포함', en: 'Contains whitespace', reg: '\\s' },
  sequentialDigits: {
    ko: '연속된 숫자 3자리 이상',
    en: '3 or more sequential digits',
    reg: anyOf(['01234567890'], 3),
  },
  horizontalLetters: {
    ko: '키보드에서 가로로 이어진 문자 4자 이상',
    en: '4 or more horizontally sequential letters',
    reg: anyCase(anyOf(KEYBOARD_ROWS, 4)),
  },
  verticalLetters: {
    ko: '키보드에서 세로로 이어진 문자 3자 이상',
    en: '3 or more vertically sequential letters',
    reg: anyCase(anyOf(KEYBOARD_COLUMNS, 3)),
  },
  repeatedDigits: { ko: '같은 숫자 3번 이상 반복', en: '3 or more repeated digits', reg: '([0-9])\\1\\1' },
  repeatedCharacters: { ko: '같은 문자 3번 이상 반복', en: '3 or more repeated characters', reg: '(.)\\1\\1' },
} as const satisfies Record<string, Preset>
export type PasswordPreset = keyof typeof PASSWORD_PRESETS

export const PRESET_NAMES = Object.keys(PASSWORD_PRESETS) as [PasswordPreset, ...PasswordPreset[]]

const DEFAULT_POSITIVE: readonly PasswordPreset[] = ['uppercase', 'lowercase', 'digit', 'special', 'length8']

/** Whether the preset is a failure rule by default. */
export const isUsuallyNegative = (preset: PasswordPreset): boolean => !DEFAULT_POSITIVE.includes(preset)

/** A preset as a rule; its stored name is the Korean one. */
export const presetRule = (preset: PasswordPreset) => {
  const { ko, reg } = PASSWORD_PRESETS[preset]
  return { name: ko, reg, preset }
}

/** The words of the presets by their stored names, for records that keep only the name. */
export const PRESET_WORDS: Readonly<Record<string, Label>> = Object.fromEntries(
  Object.values(PASSWORD_PRESETS).map((preset) => [preset.ko, preset]),
)

/** The rules until an administrator changes them. */
export const DEFAULT_RULES = {
  positiveRules: DEFAULT_POSITIVE.map(presetRule),
  negativeRules: PRESET_NAMES.filter(isUsuallyNegative).map(presetRule),
}

type Rule = { name: string; reg: string; preset?: PasswordPreset | undefined }
export type RuleFault = 'registeredName' | 'duplicateName' | 'registeredReg' | 'duplicateReg'

/** The names of a rule in every language, so that a custom name cannot repeat the words of a preset. */
const namesOf = ({ name, preset }: Rule): string[] => {
  const names = preset === undefined ? [name] : [PASSWORD_PRESETS[preset].ko, PASSWORD_PRESETS[preset].en]
  return names.map((one) => one.toLowerCase())
}
const sharesName = (rule: Rule) => {
  const names = namesOf(rule)
  return (other: Rule) => namesOf(other).some((name) => names.includes(name))
}

/**
 * Why a rule cannot be in a list together with these rules (spec S2 §5): its name or expression is already in the same
 * list, or it is in the other one.
 */
export function faultOfRule(rule: Rule, same: readonly Rule[], other: readonly Rule[]): RuleFault | undefined {
  if (same.some(sharesName(rule))) return 'registeredName'
  if (other.some(sharesName(rule))) return 'duplicateName'
  if (same.some(({ reg }) => reg === rule.reg)) return 'registeredReg'
  if (other.some(({ reg }) => reg === rule.reg)) return 'duplicateReg'
  return undefined
}
