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
      "secretKeyFingerprint:  minLength 1",
      "nextKeyFingerprint:  minLength 1",
      "historySealKey: seed minLength 1",
      "installation: restores minimum 0",
      "historyHead:  minLength 1",
      "historyChecks: text minLength 1",
      "license: file minLength 1",
      "devicesPerUser:  minimum 1",
      "devicesPerUser:  maximum 1000",
      "accountProtection: passwordHistory minimum 0",
      "accountProtection: passwordHistory maximum 10",
      "accountProtection: minPasswordDays minimum 0",
      "accountProtection: minPasswordDays maximum 30",
      "accountProtection: maxPasswordDays minimum 0",
      "accountProtection: maxPasswordDays maximum 3650",
      "accountProtection: dormantDays minimum 0",
      "accountProtection: dormantDays maximum 3650",
      "overdueHours:  minimum 0",
      "overdueHours:  maximum 720",
      "fileRetention: days minimum 0",
      "fileRetention: days maximum 3650",
      "mailServer: serverAddress minLength 1",
      "mailServer: serverPort minimum 0",
      "mailServer: serverPort maximum 65535",
      "mailServer: senderEmail maxLength 100",
      "mailServer: receiverEmail maxLength 100",
      "hostServerAddress:  minLength 1",
      "hostServerAddress:  maxLength 63",
      "bimSyncs:  minimum 1",
      "lastBackup: rows minimum 0",
      "lastBackup: files minimum 0",
      "lastBackup: size minimum 0",
      "lastBackup: missing minimum 0",
      "fileScrub: after minimum 0",
      "fileScrub: perRun minimum 1",
      "ssoPolicy: userCreateGroupIdx minimum 1",
    ]
  `)
})
