// The configurations for desktop clients: their versions, who changed them, and who may.
import { SettingManage } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildUser } from '../../../test/build/users.ts'
import { openDesktopClient } from '../../../test/desktopClients.ts'
import { historyOf } from '../../../test/history.ts'

const testApp = await startTestApp()
const { app, as, admin, clock } = testApp
const { configTexts, infos } = as(admin)
const rows = () => historyOf(app.db, 'settingManage')

test('nothing is set at first', async () => {
  expect(await configTexts.findSiteConfig({})).toEqual({ siteConfig: '', revision: 0 })
  expect(await configTexts.findClientPolicy({})).toEqual({ clientPolicy: '', revision: 0 })
  expect(await configTexts.searchOldSiteConfigs({})).toEqual({ logs: [] })
  const pc = await openDesktopClient(testApp, await buildUser(app.db))
  expect(await pc.agent.findPolicy({})).toMatchObject({ siteConfig: '', clientPolicy: '' })
})

test('each change keeps the value that it replaced, with who made it and when; the history has no text', async () => {
  const first = await configTexts.setSiteConfig({ siteConfig: '<site>secret-1</site>', revision: 0 })
  clock.advance(1000)
  const second = await configTexts.setSiteConfig({ siteConfig: '<site>secret-2</site>', revision: first.revision })
  expect(await configTexts.findSiteConfig({})).toEqual({
    siteConfig: '<site>secret-2</site>',
    revision: second.revision,
  })
  const by = { actorId: admin.id, actorName: 'Administrator' }
  expect((await configTexts.searchOldSiteConfigs({})).logs).toMatchObject([
    { idx: first.revision, oldValue: '', ...by },
    { idx: second.revision, oldValue: '<site>secret-1</site>', ...by, logDT: clock.now().toISOString() },
  ])
  expect(await rows()).toMatchObject([
    { type: SettingManage.SET_SITE_CONFIG, detail: { targetOldValue: null } },
    { type: SettingManage.SET_SITE_CONFIG, detail: { targetOldValue: `#${first.revision} (21 B)` } },
  ])
  expect(JSON.stringify(await rows())).not.toContain('secret')
  expect(await configTexts.searchOldClientPolicies({})).toEqual({ logs: [] })
})

test('of many who change the same version one succeeds', async () => {
  const { revision } = await configTexts.findClientPolicy({})
  const tries = Array.from({ length: 10 }, (_, i) => configTexts.setClientPolicy({ clientPolicy: `${i}`, revision }))
  const results = await Promise.allSettled(tries)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await configTexts.searchOldClientPolicies({})).logs).toHaveLength(1)
  expect((await rows()).at(-1)).toMatchObject({ type: SettingManage.SET_CLIENT_POLICY })
})

test('the last 20 changes are listed, the oldest first; long former values are read one by one', async () => {
  const policyOf = (i: number) => `"${i}${'x'.repeat(1024 * 1024)}"`
  for (let i = 0; i < 22; i++) await configTexts.setClientPolicy({ clientPolicy: policyOf(i) })
  const { logs } = await configTexts.searchOldClientPolicies({})
  expect(logs).toHaveLength(20)
  expect(logs.map(({ idx }) => idx)).toEqual(logs.map(({ idx }) => idx).sort((a, b) => a - b))
  expect(logs.at(-1)?.oldValue).toBe(policyOf(20))
  expect(logs.at(0)?.oldValue).toBeNull()
  const one = await configTexts.searchOldClientPolicies({ idx: logs[0]?.idx })
  expect(one.logs.map(({ oldValue }) => oldValue)).toEqual([policyOf(1)])
  expect(await configTexts.searchOldSiteConfigs({ idx: logs[0]?.idx })).toEqual({ logs: [] })
})

test('malformed text is refused by its field, empty text is accepted, 2 MiB is the limit', async () => {
  const bad = configTexts.setSiteConfig({ siteConfig: '<!DOCTYPE a><a/>' })
  await expect(bad).rejects.toMatchObject({ code: 983, data: { fields: ['siteConfig'] } })
  const policy = configTexts.setClientPolicy({ clientPolicy: '{' })
  await expect(policy).rejects.toMatchObject({ code: 983, data: { fields: ['clientPolicy'] } })
  await expect(configTexts.setClientPolicy({ clientPolicy: '"\ud800"' })).rejects.toMatchObject({ code: 983 })
  await configTexts.setSiteConfig({ siteConfig: '' })
  expect((await configTexts.findSiteConfig({})).siteConfig).toBe('')
  const long = (length: number) => `<a>${'x'.repeat(length - 7)}</a>`
  await configTexts.setSiteConfig({ siteConfig: long(2 * 1024 * 1024 - 50) })
  const tooLong = configTexts.setSiteConfig({ siteConfig: long(2 * 1024 * 1024) })
  await expect(tooLong).rejects.toMatchObject({ code: 413 })
})

test('clients receive both with the host filled in: the one that was set, else the public address', async () => {
  await configTexts.setSiteConfig({ siteConfig: '<site url="https://{{HOST}}/"/>' })
  await configTexts.setClientPolicy({ clientPolicy: '{"host": "{{HOST}}"}' })
  const { host } = new URL(app.env.publicUrl)
  const pc = await openDesktopClient(testApp, await buildUser(app.db))
  expect(await pc.agent.findPolicy({})).toMatchObject({
    siteConfig: `<site url="https://${host}/"/>`,
    clientPolicy: `{"host": "${host}"}`,
  })
  await infos.setHostServerAddress({ hostServerAddress: '[::1]:8443' })
  expect((await pc.agent.findPolicy({})).siteConfig).toBe('<site url="https://[::1]:8443/"/>')
})
