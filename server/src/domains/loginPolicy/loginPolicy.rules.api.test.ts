// Password rules as administrators set them: validation, and their effect on sign-in, passwords and history.
import { SettingManage } from '@acc/contract/labels/history'
import { DEFAULT_RULES, presetRule } from '@acc/contract/labels/passwordRules'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { mailsTo, temporaryPasswordIn } from '../../../test/mails.ts'

const { app, as, fetchAs, admin, anonymous } = await startTestApp()
const { db } = app
const client = as(admin)
const PASSWORD = 'Old#7password'

const rule = (name: string, reg: string) => ({ name, reg })
const rulesLogs = async () =>
  (await historyOf(db, 'settingManage')).filter(({ type }) => type === SettingManage.UPDATE_PASSWORD_RULES)

test("until they are changed, the product's rules apply", async () => {
  expect(await client.loginPolicy.findPasswordRules({})).toEqual({ pwRules: DEFAULT_RULES, revision: 0 })
  expect(await anonymous.configs.find({})).toMatchObject(DEFAULT_RULES)
})

test('changed rules apply at once to the configuration, new and temporary passwords', async () => {
  const user = await buildUser(db, { password: PASSWORD })
  const rules = {
    positiveRules: [presetRule('length8'), rule('숫자로 끝남', '[0-9]$')],
    negativeRules: [rule('K로 시작', '^[Kk]')],
  }
  await client.loginPolicy.setPasswordRules(rules)
  expect(await anonymous.configs.find({})).toMatchObject(rules)
  const change = (newPw: string) => anonymous.account.changePw({ id: user.id, pw: PASSWORD, newPw })
  for (const newPw of ['abcdefgh', 'kabcd1234', 'a1234'])
    await expect(change(newPw)).rejects.toMatchObject({ code: 108 })
  await change('abcdefg1234')
  await client.users.resetPw({ idx: user.idx })
  const [mail] = (await mailsTo(app, user.email)).slice(-1)
  expect(temporaryPasswordIn(mail?.text ?? '')).toMatch(/^[^K].*[0-9]$/)
})

test('the history has all old and new rules', async () => {
  const before = (await client.loginPolicy.findPasswordRules({})).pwRules
  await client.loginPolicy.setPasswordRules({ positiveRules: [presetRule('digit')], negativeRules: [] })
  await client.loginPolicy.setPasswordRules({ positiveRules: [presetRule('digit')], negativeRules: [] })
  const rows = await rulesLogs()
  expect(rows.at(-1)).toMatchObject({
    actorIdx: admin.idx,
    groupIdx: null,
    detail: {
      passwordRules: [
        ...before.positiveRules.map(({ name, reg }) => ({ ruleList: 0, ruleName: name, ruleReg: reg, isOld: 1 })),
        ...before.negativeRules.map(({ name, reg }) => ({ ruleList: 1, ruleName: name, ruleReg: reg, isOld: 1 })),
        { ruleList: 0, ruleName: '숫자 1자 이상', ruleReg: '[0-9]', isOld: 0 },
      ],
    },
  })
  expect(rows).toHaveLength(2)
})

test('a preset is stored with its own name and expression', async () => {
  const preset = { preset: 'digit' as const, name: 'Sent name', reg: '^(a+)+$' }
  await client.loginPolicy.setPasswordRules({ positiveRules: [preset], negativeRules: [] })
  expect((await client.loginPolicy.findPasswordRules({})).pwRules.positiveRules).toEqual([presetRule('digit')])
})

test.each([
  ['a name twice in one list', [rule('A', 'a'), rule('a', 'b')], [], 140],
  ['a name twice in the other list', [], [rule('A', 'a'), rule('a', 'b')], 140],
  ['a name in both lists', [rule('A', 'a')], [rule('A', 'b')], 140],
  ["a preset's name for a custom rule", [rule('8자 이상', 'a'), presetRule('length8')], [], 140],
  ['an expression twice in one list', [rule('A', 'a'), rule('B', 'a')], [], 146],
  ['an expression twice in the other list', [], [rule('A', 'a'), rule('B', 'a')], 146],
  ['an expression in both lists', [rule('A', 'a')], [rule('B', 'a')], 146],
  ['a preset in both lists', [presetRule('digit')], [presetRule('digit')], 140],
  ['an expression that runs long', [rule('A', '^(a+)+$')], [], 147],
  ['a rule that no temporary password meets', [rule('A', '[가-힣]')], [], 148],
  ['a rule and its opposite', [rule('A', '[0-9]')], [rule('B', '\\d')], 148],
])('%s is refused', async (_, positiveRules, negativeRules, code) => {
  const before = await client.loginPolicy.findPasswordRules({})
  const set = client.loginPolicy.setPasswordRules({ positiveRules, negativeRules })
  await expect(set).rejects.toMatchObject({ code })
  expect(await client.loginPolicy.findPasswordRules({})).toEqual(before)
})

test.each([
  ['no name', [rule('', 'a')], 'positiveRules.0.name'],
  ['a long name', [rule('가'.repeat(31), 'a')], 'positiveRules.0.name'],
  ['no expression', [rule('A', '')], 'positiveRules.0.reg'],
  ['an invalid expression', [rule('A', '(')], 'positiveRules.0.reg'],
  ['an expression of 10 kB', [rule('A', 'a'.repeat(10_000))], 'positiveRules.0.reg'],
  ['an expression with a line break', [rule('A', 'a\nb')], 'positiveRules.0.reg'],
  ['1000 rules', Array.from({ length: 1000 }, (_, i) => rule(`${i}`, `${i}`)), 'positiveRules'],
  ['a preset that there is not', [{ ...rule('A', 'a'), preset: 'length99' }], 'positiveRules.0.preset'],
])('%s is refused', async (_, positiveRules, field) => {
  const response = await fetchAs(admin)('/LoginPolicy/PWRules', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    body: JSON.stringify({ positiveRules, negativeRules: [] }),
  })
  expect(await response.json()).toMatchObject({ errorCode: 983, data: { fields: [field] } })
})

test('slashes and flags are part of the expression', async () => {
  await client.loginPolicy.setPasswordRules({ positiveRules: [], negativeRules: [rule('Flags', '/admin/i')] })
  const user = await buildUser(db, { password: PASSWORD })
  await anonymous.account.changePw({ id: user.id, pw: PASSWORD, newPw: 'adminlanding' })
})
