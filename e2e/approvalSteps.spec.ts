// A request from acc-client that three people approve by the keyboard, one of them for an absent person, and a request
// that nobody can decide.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OwnRequest } from '@acc/contract/requests'
import type { Page } from '@playwright/test'
import { openPc, type Pc } from './accClient.ts'
import type { AccServer } from './accServer.ts'
import { addPerson, type Person } from './arrange.ts'
import { requestExport } from './requests.ts'
import { enterAt, expectNotice, menuOf, paneOf, rowOf } from './screens.ts'
import { withDatabase } from './serverDatabase.ts'
import { type Team, test } from './teams.ts'
import { expect } from './test.ts'

const levels = { policy: 0, user: 0, fileExportApprove: 2, fileImportApprove: 0, log: 0 } as const

/** Gives the policy of a team later steps, each with an authority over another group than the team's. */
async function addSteps(server: AccServer, team: Team, steps: readonly { name: string; users: readonly Person[] }[]) {
  const { admin } = server
  const { idx: groupIdx } = await admin.groups.create({ parentIdx: 1, name: `${steps[0]?.name} 그룹` })
  const { idx: policyIdx } = await admin.policies.find({ ownerIdx: team.groupIdx, ownerType: 0 })
  const authorities: { idx: number }[] = []
  for (const { name, users } of steps) {
    const userIdxes = users.map(({ idx }) => idx)
    authorities.push(await admin.authorities.create({ name, groupIdxes: [groupIdx], userIdxes, ...levels }))
  }
  await withDatabase(server, (db) =>
    db.write
      .insertInto('policyApprovalSteps')
      .values(
        authorities.map(({ idx }, at) => ({ policyIdx, type: 1 as const, step: at === 0 ? 2 : 3, authorityIdx: idx })),
      )
      .execute(),
  )
}

/** Signs somebody in and approves the request that waits for them, by the keyboard. */
async function approveAs(page: Page, person: Person, idx: number, reason: string) {
  await page.context().clearCookies()
  await enterAt(page, 'approvals', person)
  await expect(menuOf(page).getByRole('button', { name: '반출 승인, 처리할 요청 1건' })).toBeVisible()
  await rowOf(page, idx).focus()
  await page.keyboard.press('Enter')
  await expect(paneOf(page).getByText('처리할 수 있는 사람')).toBeVisible()
  await page.keyboard.press('a')
  await page.keyboard.type(reason)
  await page.keyboard.press('Control+Enter')
}

/** Makes somebody absent today. */
async function setAbsence({ admin }: AccServer, person: Person, substitute: Person) {
  const today = new Date().toISOString().slice(0, 10)
  const period = { startDay: today, endDay: today, reason: '연차' }
  await admin.absences.create({ userIdx: person.idx, substituteIdx: substitute.idx, ...period })
}

/** The request as its requester sees it. */
async function readStatus(pc: Pc, idx: number) {
  const { document } = await pc.json(['status', String(idx)])
  return document as OwnRequest
}

test('three people approve a request one after the other, one of them for an absent person', async ({
  page,
  addTeam,
  server,
}, testInfo) => {
  const [team, other] = [await addTeam('stepped', '단계팀'), await addTeam('standin', '대행팀')]
  const [guard, director] = [
    await addPerson(server, 'stepped.guard', '이보안'),
    await addPerson(server, 'stepped.director', '박이사'),
  ]
  await addSteps(server, team, [
    { name: '단계 보안팀', users: [guard] },
    { name: '단계 경영진', users: [director] },
  ])
  await setAbsence(server, guard, other.manager)
  const folder = testInfo.outputPath('pc')
  await mkdir(folder)
  await writeFile(join(folder, 'a.txt'), 'a')
  const pc = openPc(server.baseUrl, folder)
  expect(await pc.login(team.employee.id, team.employee.password)).toMatchObject({ status: 0 })
  const { document } = await pc.json(['request', '--purpose', '세 사람', join(folder, 'a.txt')])
  expect(document).toMatchObject({ state: 0, step: 1, stepCount: 3 })
  const { idx } = document as OwnRequest

  await approveAs(page, team.manager, idx, '내용 확인')
  await expectNotice(page, `#${idx} 요청의 1단계를 승인했습니다.`)
  await expect(page.getByText('대기 중인 요청이 없습니다')).toBeVisible()
  await page.getByRole('checkbox', { name: '처리할 수 없는 요청 포함' }).check()
  await expect(rowOf(page, idx).getByText('대기 2/3')).toBeVisible()
  await rowOf(page, idx).click()
  await expect(paneOf(page).getByText('이 단계의 승인자가 처리합니다.')).toBeVisible()
  const people = [
    { name: '이보안', forName: null },
    { name: '대행팀 부장', forName: '이보안' },
  ]
  const second = await readStatus(pc, idx)
  expect(second).toMatchObject({ state: 0, step: 2, deciders: { count: 2 } })
  expect(second.deciders?.people).toEqual(expect.arrayContaining(people))

  await approveAs(page, other.manager, idx, '보안 확인')
  await expectNotice(page, `#${idx} 요청의 2단계를 승인했습니다.`)
  expect(await readStatus(pc, idx)).toMatchObject({
    step: 3,
    deciders: { people: [{ name: '박이사', forName: null }] },
  })

  await page.context().clearCookies()
  await enterAt(page, `approvals/${idx}`, director)
  const pane = paneOf(page)
  await expect(pane.getByText('3단계 중 3단계 · 단계 경영진')).toBeVisible()
  await expect(pane.getByText('대기 (3/3단계)')).toBeVisible()
  const steps = pane.getByRole('list', { name: '처리 과정' }).getByRole('listitem')
  await expect(steps.filter({ hasText: '대행팀 부장 (이보안 대리) · 2단계' })).toContainText('보안 확인')
  await expect(steps.filter({ hasText: '단계팀 부장 · 1단계' })).toContainText('내용 확인')
  await page.keyboard.press('a')
  await page.keyboard.press('Control+Enter')
  await expectNotice(page, `#${idx} 요청을 승인했습니다.`)
  expect(await readStatus(pc, idx)).toMatchObject({ state: 1, approverName: '박이사' })
  expect(await pc.json(['download', String(idx), '--to', join(folder, 'approved')])).toMatchObject({ status: 0 })

  await page.context().clearCookies()
  await enterAt(page, 'history', team.manager)
  await page.getByRole('navigation', { name: '이력 종류' }).getByRole('button', { name: '파일 반출' }).click()
  await page.getByRole('table', { name: '파일 반출 이력' }).getByText(String(idx), { exact: true }).click()
  const history = page.getByRole('table', { name: '처리 과정' }).getByRole('row')
  await expect(history.filter({ hasText: '대행팀 부장' })).toContainText('이보안')
  await expect(history.filter({ hasText: '박이사' })).toContainText('승인')
})

test('administrators find the requests that nobody can decide from the system status', async ({
  page,
  addTeam,
  server,
}) => {
  const team = await addTeam('stuck', '막힌팀')
  const guard = await addPerson(server, 'stuck.guard', '혼자보안')
  await addSteps(server, team, [{ name: '막힌 보안팀', users: [guard] }])
  const idx = await requestExport(team.pc, '막힘', { 'a.txt': 'a' })
  await server.admin.requests.decide({ idx, state: 1 })
  await server.admin.users.setDisabled({ idx: guard.idx, state: 2 })
  await enterAt(page, 'systemStatus')
  await page.getByRole('listitem').filter({ hasText: '처리할 수 있는 사람이 없는' }).getByRole('button').click()
  await rowOf(page, idx).click()
  await expect(paneOf(page).getByText('이 요청을 처리할 수 있는 사람이 없습니다')).toBeVisible()
  await server.admin.users.setDisabled({ idx: guard.idx, state: 0 })
  await expect(rowOf(page, idx)).toBeHidden()
  await expect(paneOf(page).getByText('혼자보안')).toBeVisible()
})
