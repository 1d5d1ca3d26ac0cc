// Approvals in steps on the screen: a request that three people approve, one of them for an absent person, and one that
// nobody can decide.
import { type AccServer, signInByCall } from './accServer.ts'
import { addPerson, type Person } from './arrange.ts'
import { requestExport } from './requests.ts'
import { enterAt, expectNotice, paneOf, rowOf } from './screens.ts'
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

test('three people approve a request one after the other, one of them for an absent person', async ({
  page,
  addTeam,
  server,
}) => {
  const team = await addTeam('stepped', '단계팀')
  const [guard, director, deputy] = [
    await addPerson(server, 'stepped.guard', '이보안'),
    await addPerson(server, 'stepped.director', '박이사'),
    await addPerson(server, 'stepped.deputy', '김대행'),
  ]
  await addSteps(server, team, [
    { name: '단계 보안팀', users: [guard] },
    { name: '단계 경영진', users: [director, deputy] },
  ])
  const today = new Date().toISOString().slice(0, 10)
  const absence = { userIdx: guard.idx, substituteIdx: deputy.idx, startDay: today, endDay: today, reason: '연차' }
  await server.admin.absences.create(absence)
  const idx = await requestExport(team.pc, '세 사람', { 'a.txt': 'a' })

  await enterAt(page, 'approvals', team.manager)
  await rowOf(page, idx).focus()
  await page.keyboard.press('Enter')
  const pane = paneOf(page)
  await expect(pane.getByText('처리할 수 있는 사람')).toBeVisible()
  await page.keyboard.press('a')
  await page.keyboard.type('내용 확인')
  await page.keyboard.press('Control+Enter')
  await expectNotice(page, `#${idx} 요청의 1단계를 승인했습니다.`)
  await expect(page.getByText('대기 중인 요청이 없습니다')).toBeVisible()
  await page.getByRole('checkbox', { name: '처리할 수 없는 요청 포함' }).check()
  await expect(rowOf(page, idx).getByText('대기 2/3')).toBeVisible()
  await rowOf(page, idx).click()
  await expect(pane.getByText('이 단계의 승인자가 처리합니다.')).toBeVisible()

  const calls = await signInByCall(server.baseUrl, deputy)
  await calls.requests.decide({ idx, state: 1, purpose: '보안 확인' })
  await page.context().clearCookies()
  await enterAt(page, `approvals/${idx}`, director)
  await expect(pane.getByText('3단계 중 3단계 · 단계 경영진')).toBeVisible()
  await expect(pane.getByText('대기 (3/3단계)')).toBeVisible()
  const steps = pane.getByRole('list', { name: '처리 과정' }).getByRole('listitem')
  await expect(steps.filter({ hasText: '김대행 (이보안 대리) · 2단계' })).toContainText('보안 확인')
  await expect(steps.filter({ hasText: '단계팀 부장 · 1단계' })).toContainText('내용 확인')
  await page.keyboard.press('a')
  await page.keyboard.press('Control+Enter')
  await expectNotice(page, `#${idx} 요청을 승인했습니다.`)
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
