// Authorities (spec S2 §2.1): created, copied, changed and deleted, viewed by authority and by user.
import type { Page } from '@playwright/test'
import type { AccServer } from './accServer.ts'
import { addPerson, addUser } from './arrange.ts'
import { answerDialog, dayIn, enter, enterAt, expectNotice, findGroup, menuOf } from './screens.ts'
import { withDatabase } from './serverDatabase.ts'
import { expect, test } from './test.ts'

const LEVELS = { policy: 1, user: 0, fileExportApprove: 2, fileImportApprove: 0, log: 1 } as const

async function openAuthorities(page: Page): Promise<void> {
  await enterAt(page, 'authorities')
}

const choiceOf = (page: Page, name: string) =>
  page.getByRole('list', { name: '권한 목록' }).getByRole('button', { name: new RegExp(`^${name}`) })

/** Deletes the authorities of other tests, with what needs them. */
const clear = (server: AccServer) =>
  withDatabase(server, async ({ write }) => {
    await write.deleteFrom('policyApprovalSteps').execute()
    await write.deleteFrom('authorities').execute()
  })

test('before there is an authority the pane says how to begin; one needs a name, a level and a group, and is copied', async ({
  page,
  server,
}) => {
  await clear(server)
  const { idx } = await server.admin.groups.create({ parentIdx: 1, name: '새 권한의 그룹' })
  await openAuthorities(page)
  await expect(page.getByText('등록된 권한이 없습니다')).toBeVisible()
  await expect(page.getByText('첫 권한을 생성해 주세요')).toBeVisible()
  const byUser = page.getByRole('radiogroup', { name: '보기 기준' }).getByText('사용자 기준')
  await byUser.click()
  await expect(page.getByText('사용자를 선택해 주세요')).toBeHidden()
  await page.getByRole('button', { name: '권한 생성' }).click()
  await expect(page.getByRole('textbox', { name: '권한 이름' })).toBeVisible()
  await server.admin.authorities.create({ name: '아직 빈 권한', groupIdxes: [idx], userIdxes: [], ...LEVELS })
  await page.getByRole('tab', { name: '관리' }).click()
  await expect(page.getByText('권한이 있는 사용자가 없습니다')).toBeVisible()
  await page.getByRole('button', { name: '권한 기준으로 보기' }).click()
  await expect(page.getByText('권한을 선택해 주세요')).toBeVisible()
  await expect(choiceOf(page, '아직 빈 권한')).toBeVisible()

  await page.getByRole('tab', { name: '생성' }).click()
  const create = page.getByRole('button', { name: '생성', exact: true })
  const expectRefusal = async (why: string) => {
    await create.hover()
    await expect(page.getByRole('tooltip', { name: why })).toBeVisible()
  }
  await page.getByRole('textbox', { name: '설명' }).fill('야간 담당')
  await expectRefusal('권한 이름을 입력해 주세요.')
  await page.getByRole('textbox', { name: '권한 이름' }).fill('야간 승인')
  await page.getByRole('radiogroup', { name: '반출 승인' }).getByText('읽기/편집').click()
  await expectRefusal('관리 그룹을 하나 이상 추가해 주세요.')
  await page.getByRole('button', { name: '추가' }).last().click()
  await (await findGroup(page.getByRole('dialog'), '새 권한의 그룹')).click()
  await answerDialog(page, '관리 그룹 추가', '추가')
  await create.press('Enter')
  await expectNotice(page, '권한을 생성했습니다.')
  await expect(page.getByRole('tab', { name: '관리' })).toHaveAttribute('aria-selected', 'true')
  await expect(choiceOf(page, '야간 승인')).toHaveAttribute('aria-current', 'true')
  await expect(choiceOf(page, '야간 승인')).toBeFocused()
  const { auths } = await server.admin.authorities.search({})
  const made = await server.admin.authorities.find({ idx: auths.find(({ name }) => name === '야간 승인')?.idx ?? 0 })
  expect(made).toMatchObject({ fileExportApprove: 2, policy: 0, log: 0, groups: [{ idx }], description: '야간 담당' })

  await page.getByRole('tab', { name: '생성' }).click()
  await choiceOf(page, '야간 승인').click()
  const copied = page.getByRole('radiogroup', { name: '반출 승인' }).getByRole('radio', { name: '읽기/편집' })
  await expect(copied).toBeChecked()
  const name = page.getByRole('textbox', { name: '권한 이름' })
  await name.fill('아직 빈 권한')
  await create.click()
  await expect(page.getByText('중복된 권한 이름입니다.')).toBeVisible()
  await expect(name).toBeFocused()
  await name.fill('사본 권한')
  await create.click()
  await expect(page.getByRole('heading', { level: 2, name: '사본 권한' })).toBeVisible()
  await page.getByRole('button', { name: '삭제', exact: true }).click()
  await answerDialog(page, '권한 삭제', '삭제')
  await expect(choiceOf(page, '사본 권한')).toBeHidden()
  await expect(page.getByText('권한을 선택해 주세요')).toBeVisible()
})

test('holders are added with an end, get another one and are removed; those who cannot be chosen are locked', async ({
  page,
  server,
}) => {
  const holder = await addUser(server, 'holder.one', '이미 가진 사람')
  await addUser(server, 'holder.two', '새로 가질 사람')
  const { idx: groupIdx } = await server.admin.groups.create({ parentIdx: 1, name: '나누는 그룹' })
  const held = { name: '나누는 권한', groupIdxes: [groupIdx], userIdxes: [holder.idx], ...LEVELS }
  const { idx } = await server.admin.authorities.create(held)
  await openAuthorities(page)
  await choiceOf(page, '나누는 권한').click()
  const holders = page.getByRole('region', { name: '관리자' })
  await expect(holders.getByRole('row', { name: '만료일 없음' })).toContainText('이미 가진 사람')
  await holders.getByRole('button', { name: '추가' }).click()
  const picker = page.getByRole('dialog', { name: '관리자 추가' })
  const search = picker.getByRole('searchbox')
  await expect(search).toBeFocused()
  await picker.getByRole('button', { name: '닫기' }).focus()
  await page.keyboard.press('/')
  await expect(search).toBeFocused()
  await search.fill('admin')
  await expect(picker.getByRole('checkbox', { name: 'Administrator 선택' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(search).toHaveValue('')
  await search.fill('holder.')
  await expect(picker.getByRole('checkbox', { name: '이미 가진 사람 선택' })).toBeDisabled()
  await picker.getByRole('checkbox', { name: '새로 가질 사람 선택' }).check()
  await search.fill('no.such.person')
  await expect(picker.getByText('조건에 맞는 사용자가 없습니다')).toBeVisible()
  await expect(picker.getByRole('checkbox', { name: '모두 선택' })).not.toBeChecked()

  const add = picker.getByRole('button', { name: '추가', exact: true })
  await add.click()
  const end = page.getByRole('dialog', { name: '종료일' })
  await expect(end.getByRole('radio', { name: '1개월' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(end).toBeHidden()
  await expect(picker.getByText('1명 선택됨 · 새로 가질 사람')).toBeVisible()
  await expect(add).toBeFocused()
  // It waits while the list is read once more.
  await expect(add).toBeEnabled()
  await page.keyboard.press('Enter')
  await end.getByText('1일', { exact: true }).click()
  await end.getByRole('button', { name: '추가' }).click()
  await expectNotice(page, '관리자 1명을 추가했습니다.')
  await expect(holders.getByText(`${dayIn(1)}까지`)).toBeVisible()
  await holders.getByRole('button', { name: '여러 명 선택' }).click()
  await holders.getByRole('checkbox', { name: '새로 가질 사람 선택' }).check()
  await holders.getByRole('button', { name: '종료일 변경' }).click()
  await end.getByText('종료일 없음').click()
  await end.getByRole('textbox', { name: '종료일이 없는 사유' }).fill('팀장')
  await end.getByRole('button', { name: '종료일 변경' }).click()
  await expect(holders.getByText('종료일 없음 (팀장)')).toBeVisible()
  await holders.getByRole('button', { name: '여러 명 선택' }).click()
  await holders.getByRole('checkbox', { name: '이미 가진 사람 선택' }).check()
  await holders.getByRole('button', { name: '제외' }).click()
  await answerDialog(page, '관리자 제외', '제외')
  await expect(holders.getByText('holder.one', { exact: true })).toBeHidden()
  expect((await server.admin.authorities.find({ idx })).users).toMatchObject([{ endDT: null, endReason: '팀장' }])
})

test('by user an authority is read-only and leads to its criteria, where a change is what its open holder sees', async ({
  page,
  anotherPage,
  server,
}) => {
  const holder = await addPerson(server, 'level.one', '수준이 바뀔 사람')
  const { idx: groupIdx } = await server.admin.groups.create({ parentIdx: 1, name: '바뀔 그룹' })
  const held = { name: '바뀔 권한', groupIdxes: [groupIdx], userIdxes: [holder.idx], ...LEVELS }
  await server.admin.authorities.create(held)
  const theirs = await anotherPage()
  await enter(theirs, holder)
  await expect(menuOf(theirs).getByRole('button')).toHaveText(['대시보드', '정책', /^반출 승인/, '이력'])
  await openAuthorities(page)
  await page.getByRole('radiogroup', { name: '보기 기준' }).getByText('사용자 기준').click()
  await expect(page.getByText('사용자를 선택해 주세요')).toBeVisible()
  await page.getByRole('button', { name: /수준이 바뀔 사람/ }).click()
  await expect(page.getByRole('heading', { level: 2, name: '바뀔 권한' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: '권한 이름' })).not.toBeEditable()
  await page.getByRole('button', { name: '권한 기준으로 보기' }).click()
  await expect(choiceOf(page, '바뀔 권한')).toHaveAttribute('aria-current', 'true')
  await expect(page.getByRole('textbox', { name: '권한 이름' })).toBeEditable()
  await page.getByRole('radiogroup', { name: '정책' }).getByText('차단').click()
  await page.getByRole('button', { name: '저장' }).click()
  await expectNotice(page, '저장했습니다.')
  await expect(theirs.getByRole('dialog')).toBeVisible()
  await theirs.getByRole('button', { name: '확인' }).click()
  await enter(theirs, holder)
  await expect(menuOf(theirs).getByRole('button')).toHaveText(['대시보드', /^반출 승인/, '이력'])
})
