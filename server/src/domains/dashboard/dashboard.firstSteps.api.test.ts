// The first steps of a new installation: none is done before its data says so.
import { ROOT_GROUP } from '@acc/contract/groups'
import { Encryption } from '@acc/contract/labels/mails'
import { FileExport, OwnerType } from '@acc/contract/labels/policies'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority } from '../../../test/build/authorities.ts'
import { buildUser } from '../../../test/build/users.ts'
import { updateSetting } from '../../settings/settings.ts'
import { programFile } from '../clientVersions/clientVersions.fixture.ts'

const { app, as, admin } = await startTestApp()
const { db } = app
const calls = as(admin)
const steps = () => calls.dashboard.findFirstSteps({})

test('each step is done by what it asks for, and by nothing less', async () => {
  const done = { mail: 0, groups: 0, policy: 0, people: 0, authority: 0, client: 0 }
  expect(await steps()).toEqual(done)

  await calls.mails.chooseOutbox({})
  expect(await steps()).toEqual(done)
  const server = { serverAddress: 'mail.example.com', serverPort: 0, encrypt: Encryption.STARTTLS, id: '', pw: '' }
  const mails = { senderEmail: 'acc@example.com', receiverEmail: 'it@example.com' }
  await db.write.transaction().execute((tx) => updateSetting(tx, 'mailServer', { ...server, ...mails }, app.key))
  expect(await steps()).toEqual({ ...done, mail: 1 })

  const { idx: sales } = await calls.groups.create({ parentIdx: ROOT_GROUP, name: 'Sales' })
  expect(await steps()).toEqual({ ...done, mail: 1, groups: 1 })

  const { idx } = await calls.policies.find({ ownerIdx: ROOT_GROUP, ownerType: OwnerType.GROUP })
  await calls.policies.update({ idx, fileExport: FileExport.APPROVAL })
  expect(await steps()).toEqual({ ...done, mail: 1, groups: 1, policy: 1 })

  await buildUser(db, { isAdmin: 1 })
  expect(await steps()).toMatchObject({ people: 0 })
  const user = await buildUser(db, { group: { idx: sales } })
  expect(await steps()).toMatchObject({ people: 1, authority: 0 })

  // An authority without members, and one without groups, make nobody a manager.
  await buildAuthority(db, { groups: [{ idx: sales }], user: 2 })
  await buildAuthority(db, { groups: [], users: [user], user: 2 })
  expect(await steps()).toMatchObject({ authority: 0 })
  await buildAuthority(db, { groups: [{ idx: sales }], users: [user], user: 2 })
  expect(await steps()).toMatchObject({ authority: 1, client: 0 })

  const { version } = await calls.clientVersions.upload({}, programFile('1.0.0.0'))
  expect(await steps()).toMatchObject({ client: 0 })
  await calls.clientVersions.deploy({ version })
  expect(await steps()).toEqual({ mail: 1, groups: 1, policy: 1, people: 1, authority: 1, client: 1 })
})
