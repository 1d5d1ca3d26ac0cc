// The approval steps of a policy: chosen by keyboard, compared, explained, loosened after a question, and kept by those
// whose own requests they decide.
import type { Page } from '@playwright/test'
import type { AccServer } from './accServer.ts'
import { addPerson, addUser, type Person } from './arrange.ts'
import { answerDialog, enterAt, expectNotice, openGroup } from './screens.ts'
import { expect, test } from './test.ts'

const NONE = { policy: 0, user: 0, fileExportApprove: 0, fileImportApprove: 0, log: 0 } as const

/** Creates a group with an own policy, and authorities whose members decide exports. */
async function arrange(server: AccServer, name: string, authorities: readonly string[]) {
  const { admin } = server
  const { idx } = await admin.groups.create({ parentIdx: 1, name })
  await admin.groups.setIsMyPolicy({ idx, isMyPolicy: 1 })
  const person = await addUser(server, `steps.${idx}`, '승인하는 사람', idx)
  const created = []
  for (const authority of authorities) {
    const members = { groupIdxes: [idx], userIdxes: [person.idx] }
    created.push((await admin.authorities.create({ name: authority, ...NONE, fileExportApprove: 2, ...members })).idx)
  }
  const policyOf = () => admin.policies.find({ ownerIdx: idx, ownerType: 0 })
  return { idx, created, policyOf }
}

async function openPolicy(page: Page, group: string, person?: Person): Promise<void> {
  await enterAt(page, 'policies', person)
  await openGroup(page, group)
}

const stepOf = (page: Page, step: number) => page.getByRole('combobox', { name: `반출 ${step}단계` })
/** Chooses an authority of a step by keyboard. */
async function choose(page: Page, step: number, name: string): Promise<void> {
  await stepOf(page, step).fill(name)
  await expect(page.getByRole('option', { name: new RegExp(`^${name}`) })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}
const save = (page: Page) => page.getByRole('button', { name: '저장', exact: true }).press('Enter')
const chosen = async (policyOf: Awaited<ReturnType<typeof arrange>>['policyOf']) =>
  (await policyOf()).approvalSteps.map(({ step, authorityName }) => `${step} ${authorityName}`)

test('steps are chosen by keyboard and are explained; fewer are asked about first', async ({ page, server }) => {
  const { policyOf } = await arrange(server, '두 단계 그룹', ['보안 담당', '임원'])
  const vacant = { ...NONE, fileExportApprove: 2 as const, groupIdxes: [1], userIdxes: [] }
  await server.admin.authorities.create({ name: '빈 담당', ...vacant })
  await openPolicy(page, '두 단계 그룹')
  await expect(page.getByText('요청자 그룹의 승인자')).toBeVisible()
  await expect(stepOf(page, 3)).toBeHidden()
  // Imports are off in this installation.
  await expect(page.getByRole('combobox', { name: '반입 2단계' })).toBeHidden()
  await stepOf(page, 2).click()
  await expect(page.getByRole('option', { name: '빈 담당 관리자 0명' })).toHaveAttribute(
    'data-combobox-disabled',
    'true',
  )
  await page.keyboard.press('Escape')
  await choose(page, 2, '보안 담당')
  await expect(stepOf(page, 2)).toHaveValue('보안 담당')
  await choose(page, 3, '임원')
  await expect(page.getByText('전체 조직과 다름: 추가 2개')).toBeVisible()
  await save(page)
  await expectNotice(page, '저장했습니다.')
  expect(await chosen(policyOf)).toEqual(['2 보안 담당', '3 임원'])

  await page.getByRole('button', { name: '적용 근거' }).click()
  await expect(page.getByText(/^두 단계 그룹 · .+부터 · .+님이 변경/)).toHaveCount(1)

  await choose(page, 2, '사용 안 함')
  await save(page)
  const question = page.getByRole('dialog', { name: '정책 완화' })
  await expect(question.getByRole('row', { name: /^승인 단계 \(완화\) 반출 2단계: 보안 담당/ })).toBeVisible()
  await answerDialog(page, '정책 완화', '저장')
  await expect.poll(() => chosen(policyOf)).toEqual(['2 임원'])
})

test('a manager who removes a step of their own requests reads why it stays', async ({ page, server }) => {
  const { idx, created, policyOf } = await arrange(server, '내 그룹', ['1차 담당', '2차 담당'])
  const [first = 0] = created
  const policy = await policyOf()
  await server.admin.policies.update({ idx: policy.idx, approvalSteps: [{ type: 1, step: 2, authorityIdx: first }] })
  const manager = await addPerson(server, 'own.steps', '정책 담당', idx)
  const rights = { ...NONE, policy: 2 as const, groupIdxes: [idx], userIdxes: [manager.idx] }
  await server.admin.authorities.create({ name: '정책 담당 권한', ...rights })
  await openPolicy(page, '내 그룹', manager)
  await choose(page, 2, '2차 담당')
  await save(page)
  await answerDialog(page, '정책 완화', '저장')
  await expect(page.getByText(/^본인에게 적용되는 승인 단계는 삭제하거나/)).toBeVisible()
  expect(await chosen(policyOf)).toEqual(['2 1차 담당'])
})

test('an authority of a step is not deleted, and the dialog says what needs it', async ({ page, server }) => {
  const { created, policyOf } = await arrange(server, '남는 권한의 그룹', ['남는 권한'])
  const [authorityIdx = 0] = created
  const policy = await policyOf()
  await server.admin.policies.update({ idx: policy.idx, approvalSteps: [{ type: 1, step: 2, authorityIdx }] })
  await enterAt(page, 'authorities')
  await page
    .getByRole('list', { name: '권한 목록' })
    .getByRole('button', { name: /^남는 권한/ })
    .click()
  await page.getByRole('button', { name: '삭제', exact: true }).click()
  await answerDialog(page, '권한 삭제', '삭제')
  await expect(page.getByRole('dialog', { name: '승인 단계에 필요한 권한입니다' }).getByText(/정책 1개/)).toBeVisible()
  await answerDialog(page, '승인 단계에 필요한 권한입니다', '확인')
  await page.getByRole('radiogroup', { name: '반출 승인' }).getByText('읽기', { exact: true }).click()
  await page.getByRole('radiogroup', { name: '이력' }).getByText('읽기', { exact: true }).click()
  await page.getByRole('main').getByRole('button', { name: '저장', exact: true }).click()
  await expect(page.getByRole('dialog', { name: '승인 단계에 필요한 권한입니다' }).getByText(/정책 1개/)).toBeVisible()
  expect(await server.admin.authorities.find({ idx: authorityIdx })).toMatchObject({ fileExportApprove: 2, log: 0 })
})
