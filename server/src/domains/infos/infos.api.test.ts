// The information menu: host server address and logos, who may set them, and what remains of it (spec S1 §2, §5, §7).
import { api } from '@acc/contract'
import { SettingManage } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { historyOf } from '../../../test/history.ts'
import { makePng } from '../../files/png.fixture.ts'

const { app, as, admin, anonymous, fetchAs } = await startTestApp()
const { infos } = as(admin)
const pngFile = (bytes: Buffer<ArrayBuffer>, name = 'logo.png') => new File([bytes], name, { type: 'image/png' })
const png = (width: number, height: number, name?: string) => pngFile(Buffer.from(makePng(width, height)), name)
const rows = () => historyOf(app.db, 'settingManage')
const lastRow = async () => (await rows()).at(-1)

test('the menu shows the stored values, with the version', async () => {
  expect(await infos.find({})).toEqual({
    hostServerAddress: '',
    loginPageLogoData: null,
    managePageLogoData: null,
    fileRetentionDays: 0,
    serverVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  })
})

test('the host server address is stored and recorded once, with the former one', async () => {
  await infos.setHostServerAddress({ hostServerAddress: ' acc.example.com ' })
  await infos.setHostServerAddress({ hostServerAddress: 'acc.example.com' })
  await infos.setHostServerAddress({ hostServerAddress: '10.0.0.7:8443' })
  expect((await infos.find({})).hostServerAddress).toBe('10.0.0.7:8443')
  expect(await rows()).toMatchObject([
    { type: SettingManage.SET_HOST_ADDRESS, detail: { targetValue: 'acc.example.com', targetOldValue: null } },
    {
      type: SettingManage.SET_HOST_ADDRESS,
      detail: { targetValue: '10.0.0.7:8443', targetOldValue: 'acc.example.com' },
    },
  ])
})

test('for how long files are kept is stored and recorded once, with the former number', async () => {
  for (const fileRetentionDays of [-1, 3651, 1.5])
    await expect(infos.setFileRetention({ fileRetentionDays })).rejects.toMatchObject({ error: 'INVALID_INPUT' })
  await infos.setFileRetention({ fileRetentionDays: 0 })
  const manager = await buildManager(app.db, { groups: [{ idx: 1 }], fileExportApprove: 2, log: 1 })
  await expect(as(manager).infos.setFileRetention({ fileRetentionDays: 1 })).rejects.toMatchObject({
    error: 'NOT_ALLOWED',
  })
  const count = (await rows()).length
  for (const fileRetentionDays of [30, 30, 0]) await infos.setFileRetention({ fileRetentionDays })
  const type = SettingManage.SET_FILE_RETENTION
  expect((await rows()).slice(count)).toMatchObject([
    { type, subject: 'fileRetentionDays', detail: { targetValue: '30', targetOldValue: '0' } },
    { type, subject: 'fileRetentionDays', detail: { targetValue: '0', targetOldValue: '30' } },
  ])
  expect((await infos.find({})).fileRetentionDays).toBe(0)
})

test.each([
  '',
  ' ',
  'a"b',
  '<x>',
  '{token}',
  '{{HOST}}',
  'a b',
  'https://acc.example.com',
  'acc.example.com/path',
  'acc_1.example.com',
  '-acc.example.com',
  'acc..example.com',
  '10.0.0.256',
  'acc.example.com:0',
  'acc.example.com:65536',
  'acc.example.com:',
  '::1',
  '[::1',
  '[x]',
  `${'a'.repeat(60)}.com`,
])('"%s" is no host server address', async (hostServerAddress) => {
  await expect(infos.setHostServerAddress({ hostServerAddress })).rejects.toMatchObject({
    code: 983,
    data: { fields: ['hostServerAddress'] },
  })
})

test.each(['acc', 'a-b.example', '192.0.2.1', '[2001:db8::1]', '[::1]:8080', `${'a'.repeat(59)}.com`])(
  '"%s" is one',
  async (hostServerAddress) => {
    await infos.setHostServerAddress({ hostServerAddress })
    expect((await infos.find({})).hostServerAddress).toBe(hostServerAddress)
  },
)

test('a logo appears before sign-in and in the menu, and its change is recorded without its bytes', async () => {
  await infos.setLoginPageLogo({}, png(300, 130))
  await infos.setManagePageLogo({}, png(180, 80, '관리 로고.PNG'))
  const configs = await anonymous.configs.find({})
  for (const data of [configs.loginPageLogoData, configs.managePageLogoData])
    expect(
      Buffer.from(data ?? '', 'base64')
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
  expect(await infos.find({})).toMatchObject({
    loginPageLogoData: configs.loginPageLogoData,
    managePageLogoData: configs.managePageLogoData,
  })
  expect((await rows()).slice(-2)).toMatchObject([
    { type: SettingManage.SET_LOGIN_LOGO, detail: { targetValue: 'logo.png (300×130)', targetOldValue: null } },
    { type: SettingManage.SET_MANAGE_LOGO, detail: { targetValue: '관리 로고.PNG (180×80)', targetOldValue: null } },
  ])
  const count = (await rows()).length
  await infos.setLoginPageLogo({}, png(300, 130))
  expect(await rows()).toHaveLength(count)
})

test('a logo can be taken back', async () => {
  await infos.setLoginPageLogo({}, png(20, 20, 'small.png'))
  await infos.removeLoginPageLogo({})
  await infos.removeLoginPageLogo({})
  expect((await anonymous.configs.find({})).loginPageLogoData).toBeNull()
  expect(await lastRow()).toMatchObject({
    type: SettingManage.SET_LOGIN_LOGO,
    detail: { targetValue: null, targetOldValue: 'small.png (20×20)' },
  })
  await infos.removeManagePageLogo({})
  expect((await infos.find({})).managePageLogoData).toBeNull()
})

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
const noise = Buffer.from(makePng(300, 130, () => Math.floor(Math.random() * 256)))
test.each([
  ['SVG called PNG', pngFile(SVG), 'format'],
  ['a PNG called SVG', png(20, 20, 'logo.svg'), 'format'],
  ['a PNG called EXE', png(20, 20, 'logo.png.exe'), 'format'],
  ['a PNG without extension', png(20, 20, 'png.'), 'format'],
  ['an empty file', pngFile(Buffer.alloc(0)), 'format'],
  ['a wide one', png(1201, 10), 'pixels'],
  ['a high one', png(10, 521), 'pixels'],
  ['one of 150 kB', pngFile(noise), 'bytes'],
])('%s is no logo', async (_, file, reason) => {
  const count = (await rows()).length
  await expect(infos.setLoginPageLogo({}, file)).rejects.toMatchObject({ code: 988, data: { reason } })
  expect((await infos.find({})).loginPageLogoData).toBeNull()
  expect(await rows()).toHaveLength(count)
})

test('a form without the marker header, or from another site, changes nothing', async () => {
  const body = () => {
    const form = new FormData()
    form.append('file', png(20, 20))
    return form
  }
  const send = async (headers: Record<string, string>) => {
    const response = await fetchAs(admin)(api.infos.setLoginPageLogo.path, { method: 'POST', headers, body: body() })
    return ((await response.json()) as { errorCode: number }).errorCode
  }
  const marker = { 'x-requested-with': 'XMLHttpRequest' }
  expect(await send({})).toBe(980)
  expect(await send({ ...marker, origin: 'https://evil.example' })).toBe(980)
  expect(await send({ ...marker, 'sec-fetch-site': 'cross-site' })).toBe(980)
  expect((await infos.find({})).loginPageLogoData).toBeNull()
  expect(await send(marker)).toBe(0)
})

test('of two that change the address at once, the history names each former value once', async () => {
  await infos.setHostServerAddress({ hostServerAddress: 'start' })
  const count = (await rows()).length
  await Promise.all(Array.from({ length: 8 }, (_, i) => infos.setHostServerAddress({ hostServerAddress: `host-${i}` })))
  const changes = (await rows()).slice(count).map(({ detail }) => detail)
  expect(changes).toHaveLength(8)
  expect(changes.map(({ targetOldValue }) => targetOldValue)).toEqual([
    'start',
    ...changes.slice(0, -1).map(({ targetValue }) => targetValue),
  ])
})
