// External mode (S1 section 1): everybody is sent to the download page, by the server and not only by the console.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestApp } from '../app.ts'

const file = join(mkdtempSync(join(tmpdir(), 'acc-external-')), 'console.json')
writeFileSync(file, JSON.stringify({ isExternalMode: true }))
const { as, admin } = await startTestApp({ ACC_CONSOLE_CONFIG: file })

test('nobody administers in external mode; signing in and the register step go on', async () => {
  const someone = as(admin)
  expect((await someone.session.read({})).role).toBe(0)
  await expect(someone.users.search({})).rejects.toMatchObject({ code: 980 })
  await expect(someone.authorities.list({})).rejects.toMatchObject({ code: 980 })
  await expect(someone.groups.create({ parentIdx: 1, name: 'sales' })).rejects.toMatchObject({ code: 980 })
  await someone.mails.chooseOutbox({})
  await expect(someone.mails.chooseOutbox({})).rejects.toMatchObject({ code: 980 })
})
