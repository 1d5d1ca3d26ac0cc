// The login policy (spec S2 §2.7): the group of users created by SSO, password rules, the OTP policy.
import type { Page } from '@playwright/test'
import { addUser } from './arrange.ts'
import { answerDialog, enterAt, expectNotice, findGroup } from './screens.ts'
import { expect, test } from './test.ts'

async function openTab(page: Page, tab: string): Promise<void> {
  await enterAt(page, 'loginPolicy')
  await page.getByRole('tab', { name: tab }).click()
}

const save = (page: Page) => page.getByRole('button', { name: '저장', exact: true })

async function expectNoSave(page: Page, why: string): Promise<void> {
  await save(page).hover()
  await expect(page.getByRole('tooltip', { name: why })).toBeVisible()
}

test('the group of users created by SSO is chosen in the tree and saved; the default OTP setting is switched', async ({
  page,
  server,
}) => {
  const { idx } = await server.admin.groups.create({ parentIdx: 1, name: 'SSO로 온 사람들' })
  await openTab(page, 'SSO 기본 정책')
  await expect(page.getByText('키, 이메일, 아이디, 이름, 그룹')).toBeVisible()
  await expectNoSave(page, '변경사항이 없습니다.')
  await page.getByRole('button', { name: '그룹 선택' }).click()
  await (await findGroup(page.getByRole('dialog'), 'SSO로 온 사람들')).click()
  await answerDialog(page, '사용자를 생성할 그룹', '선택')
  await page.getByRole('tab', { name: 'OTP 정책' }).click()
  await page.getByRole('dialog', { name: '변경사항 저장' }).getByRole('button', { name: '취소' }).click()
  await save(page).click()
  await expectNotice(page, '저장했습니다.')
  expect(await server.admin.sso.findPolicy({})).toMatchObject({ userCreateGroupIdx: idx })

  await page.getByRole('tab', { name: 'OTP 정책' }).click()
  const control = page.getByRole('switch', { name: '기본 OTP 사용' })
  await expect(control).not.toBeChecked()
  const { userCount } = await server.admin.loginPolicy.findDefaultOtp({})
  await control.click()
  const question = page.getByRole('dialog', { name: '기본 OTP 사용' })
  await expect(question).toContainText(`두 목록에 없는 사용자 ${userCount}명`)
  await answerDialog(page, '기본 OTP 사용', '취소')
  await expect(control).not.toBeChecked()
  await control.click()
  await answerDialog(page, '기본 OTP 사용', '사용')
  await expectNotice(page, '기본으로 OTP를 사용합니다.')
  await expect(control).toBeChecked()
  expect(await server.admin.loginPolicy.findDefaultOtp({})).toMatchObject({ defaultOtp: 1 })
  await control.click()
  await answerDialog(page, '기본 OTP 사용', '사용 안 함')
  await expectNotice(page, '기본으로 OTP를 사용하지 않습니다.')
})

test('a rule is added, refused with its reason, marked as a duplicate, and saved', async ({ page, server }) => {
  await openTab(page, '비밀번호 규칙')
  const negative = page.getByRole('table', { name: '실패 규칙' })
  const addTo = (at: number) => page.getByRole('button', { name: / 추가$/ }).nth(at)
  const dialog = page.getByRole('dialog', { name: '실패 규칙 추가' })
  const add = dialog.getByRole('button', { name: '추가', exact: true })
  await addTo(1).click()
  for (const [name, reg, message] of [
    ['', '(', '이름을 입력해 주세요.'],
    ['회사 이름', '(', '올바른 정규식이 아닙니다.'],
    ['공백 포함', 'acc', '이미 등록된 규칙 이름입니다.'],
    ['회사 이름', '[0-9]', '중복된 정규식입니다.'],
  ] as const) {
    await dialog.getByRole('textbox', { name: '이름' }).fill(name)
    await dialog.getByRole('textbox', { name: '정규식' }).fill(reg)
    await add.click()
    await expect(dialog.getByText(message)).toBeVisible()
  }
  await dialog.getByRole('textbox', { name: '정규식' }).fill('[Cc]ompany')
  await add.click()
  await expect(negative.getByRole('row', { name: /회사 이름/ })).toBeVisible()

  await addTo(1).click()
  await dialog.getByRole('combobox', { name: '규칙' }).click()
  await page.getByRole('option', { name: '8자 이상' }).click()
  await add.click()
  await expect(negative.getByText('중복된 규칙입니다.')).toBeVisible()
  await expectNoSave(page, '중복된 규칙입니다.')
  await page.getByRole('button', { name: '여러 개 선택' }).nth(1).click()
  await negative.getByRole('checkbox', { name: '8자 이상 선택' }).check()
  await page.getByRole('button', { name: / 삭제$/ }).click()
  await save(page).click()
  await expectNotice(page, '저장했습니다.')
  const { pwRules } = await server.admin.loginPolicy.findPasswordRules({})
  expect(pwRules.negativeRules.at(-1)).toEqual({ name: '회사 이름', reg: '[Cc]ompany' })
  await server.admin.loginPolicy.setPasswordRules({ ...pwRules, negativeRules: pwRules.negativeRules.slice(0, -1) })
})

test('a minimum length needs no expression, a rule is opened to be changed, and one that could run long is refused', async ({
  page,
  server,
}) => {
  const before = (await server.admin.loginPolicy.findPasswordRules({})).pwRules
  await openTab(page, '비밀번호 규칙')
  const table = page.getByRole('table', { name: '성공 규칙' })
  // Named without its expression.
  await table.getByRole('row', { name: '8자 이상', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name: '성공 규칙 수정' })
  const count = dialog.getByRole('textbox', { name: '최소 글자 수' })
  await expect(count).toHaveValue('8')
  await expect(dialog.getByRole('textbox', { name: '정규식' })).toHaveAttribute('readonly')
  await count.fill('')
  await dialog.getByRole('button', { name: '적용' }).click()
  await expect(dialog.getByText('필수 항목입니다.')).toBeVisible()
  await count.fill('12')
  await answerDialog(page, '성공 규칙 수정', '적용')
  await expect(table.getByRole('row', { name: '12자 이상', exact: true })).toBeFocused()
  await save(page).click()
  await expectNotice(page, '저장했습니다.')
  const { pwRules } = await server.admin.loginPolicy.findPasswordRules({})
  const expected = before.positiveRules.map((rule) =>
    rule.preset === 'length8' ? { name: '12자 이상', reg: '^.{12,}$' } : rule,
  )
  expect(pwRules).toEqual({ ...before, positiveRules: expected })

  await page
    .getByRole('button', { name: / 추가$/ })
    .first()
    .click()
  const added = page.getByRole('dialog', { name: '성공 규칙 추가' })
  await added.getByRole('textbox', { name: '이름' }).fill('겹친 반복')
  await added.getByRole('textbox', { name: '정규식' }).fill('^(a+)+$')
  await answerDialog(page, '성공 규칙 추가', '추가')
  await save(page).click()
  // The server refuses it, and it stays in the form.
  await expect(page.getByRole('alert')).toContainText('‘겹친 반복’ 규칙의 정규식')
  await expect(page.getByRole('row', { name: /겹친 반복/ })).toBeVisible()
  await server.admin.loginPolicy.setPasswordRules(before)
})

test('OTP exceptions are added and removed; the dialog says who cannot be, and stays open on failure', async ({
  page,
  server,
}) => {
  const one = await addUser(server, 'otp.one', '오티피 하나')
  const two = await addUser(server, 'otp.two', '오티피 둘')
  await server.admin.loginPolicy.addOtpExceptions({ userIdxes: [one.idx], useOtp: 0 })
  await openTab(page, 'OTP 정책')
  const never = page.getByRole('region', { name: 'OTP를 사용하지 않는 사용자' })
  const always = page.getByRole('region', { name: 'OTP를 항상 사용하는 사용자' })
  await expect(never.getByText('otp.one', { exact: true })).toBeVisible()
  await always.getByRole('button', { name: '추가' }).click()
  const dialog = page.getByRole('dialog', { name: 'OTP를 항상 사용하는 사용자 추가' })
  await dialog.getByRole('searchbox').fill('otp.')
  await expect(dialog.getByRole('checkbox', { name: '오티피 하나 선택' })).toBeDisabled()
  await expect(dialog.getByRole('row', { name: /오티피 하나/ })).toContainText(
    '‘OTP를 사용하지 않는 사용자’ 목록에 있습니다.',
  )
  await dialog.getByRole('checkbox', { name: '오티피 둘 선택' }).check()
  await server.admin.loginPolicy.addOtpExceptions({ userIdxes: [two.idx], useOtp: 1 })
  await dialog.getByRole('button', { name: '추가', exact: true }).click()
  await expect(page.getByText('이미 추가된 사용자입니다.').last()).toBeVisible()
  await page.getByRole('button', { name: '확인' }).click()
  await expect(dialog).toBeVisible()
  await server.admin.loginPolicy.removeOtpExceptions({ userIdxes: [two.idx] })
  await dialog.getByRole('button', { name: '추가', exact: true }).click()
  await expectNotice(page, '1명을 추가했습니다.')
  await expect(always.getByText('otp.two', { exact: true })).toBeVisible()

  await never.getByRole('button', { name: '여러 명 선택' }).click()
  await never.getByRole('checkbox', { name: '오티피 하나 선택' }).check()
  await never.getByRole('button', { name: '제외' }).click()
  await answerDialog(page, '사용자 제외', '제외')
  await expectNotice(page, '1명을 제외했습니다.')
  await expect(never.getByText('otp.one', { exact: true })).toBeHidden()
  const { items } = await server.admin.loginPolicy.searchOtpExceptions({})
  expect(items.map(({ idx }) => idx)).not.toContain(one.idx)
  await server.admin.loginPolicy.removeOtpExceptions({ userIdxes: [two.idx] })
})

test('account protection is changed, and its bounds are said', async ({ page, server }) => {
  const { revision: _, ...before } = await server.admin.loginPolicy.findProtection({})
  await openTab(page, '계정 보호')
  await expectNoSave(page, '변경사항이 없습니다.')
  const dormant = page.getByRole('textbox', { name: '장기 미사용 계정 정지' })
  await dormant.fill('10')
  await dormant.blur()
  await expect(page.getByText('30일 이상으로 입력해 주세요. 0이면 사용하지 않습니다.')).toBeVisible()
  await dormant.fill('0')
  await page.getByRole('textbox', { name: '이전 비밀번호 재사용 제한' }).fill('4')
  await page.getByRole('switch', { name: /본인의 아이디·이름·이메일/ }).uncheck()
  await page.getByRole('switch', { name: /본인에게 메일 발송/ }).uncheck()
  await save(page).click()
  await expectNotice(page, '저장했습니다.')
  expect(await server.admin.loginPolicy.findProtection({})).toMatchObject({
    passwordHistory: 4,
    contextWords: 0,
    changeMails: 0,
  })
  await server.admin.loginPolicy.setProtection(before)
})
