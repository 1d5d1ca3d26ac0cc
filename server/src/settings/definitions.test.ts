// The bounds of every setting in one table: a limit that moves shows in a diff, and turns this test red.
import { listBounds } from '@acc/contract/core/bounds.fixture'
import { expect, test } from 'vitest'
import { SETTINGS } from './definitions.ts'

test('the bounds of settings are the committed ones', () => {
  const lines = Object.entries(SETTINGS).flatMap(([name, { schema }]) =>
    listBounds(schema, 'output').map((bound) => `${name}: ${bound}`),
  )
  expect(lines).toMatchInlineSnapshot(`
    [
      "secretKeyFingerprint:  1.. characters",
      "nextKeyFingerprint:  1.. characters",
      "historySealKey: seed 1.. characters",
      "installation: restores 0..",
      "historyHead:  1.. characters",
      "historyChecks: text 1.. characters",
      "license: file 1.. characters",
      "devicesPerUser:  1..1000",
      "accountProtection: passwordHistory 0..10",
      "accountProtection: minPasswordDays 0..30",
      "accountProtection: maxPasswordDays 0..3650",
      "accountProtection: dormantDays 0..3650",
      "overdueHours:  0..720",
      "fileRetention: days 0..3650",
      "mailServer: serverAddress 1.. characters",
      "mailServer: serverPort 0..65535",
      "mailServer: senderEmail ..100 characters",
      "mailServer: receiverEmail ..100 characters",
      "hostServerAddress:  1..63 characters",
      "bimSyncs:  1..",
      "lastBackup: rows 0..",
      "lastBackup: files 0..",
      "lastBackup: size 0..",
      "lastBackup: missing 0..",
      "fileScrub: after 0..",
      "fileScrub: perRun 1..",
      "ssoPolicy: userCreateGroupIdx 1..",
      "userSync: directory.serverAddress 1..255 characters",
      "userSync: directory.serverPort 0..65535",
      "userSync: directory.authorities ..65536 characters",
      "userSync: directory.bindDn ..255 characters",
      "userSync: directory.base 1..255 characters",
      "userSync: directory.filter 1..500 characters",
      "userSync: groupIdx 1..",
      "userSync: hour 0..23",
    ]
  `)
})
