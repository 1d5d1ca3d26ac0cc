// Values of limits that other tests import: a changed limit fails here.
import { availableParallelism } from 'node:os'
import { MAX_DEPTH } from '@acc/contract/groups'
import { expect, test } from 'vitest'
import { SPACE_RESERVE } from './core/space.ts'
import { MAX_WAITING } from './domains/credentials/hashing.ts'
import { MAX_LICENSE_BYTES } from './domains/licenses/licenseFile.ts'
import { EVALUATION_DEVICES } from './domains/licenses/licenses.status.ts'
import { MAX_PER_DAY } from './domains/networkBlocks/networkBlocks.service.ts'
import { MAX_DAILY_REQUESTS, MAX_OPEN_BYTES, MAX_OPEN_REQUESTS } from './domains/requests/requests.own.ts'
import { MAX_CONNECTIONS } from './http/connections.ts'
import { MAX_OPEN, MAX_READS } from './http/limits.ts'

test.each([
  ['bytes of a volume that uploads leave free', SPACE_RESERVE, 1_073_741_824],
  ['sign-ins that wait, for each core', MAX_WAITING / availableParallelism(), 64],
  ['PCs of the evaluation license', EVALUATION_DEVICES, 10],
  ['groups from the root to the lowest', MAX_DEPTH, 100],
  ['bytes of a license file', MAX_LICENSE_BYTES, 4096],
  ['connections of a device that are logged within a day', MAX_PER_DAY, 5000],
  ['open requests of a person', MAX_OPEN_REQUESTS, 200],
  ['bytes of these requests', MAX_OPEN_BYTES, 1_099_511_627_776],
  ['requests that a person creates within a day', MAX_DAILY_REQUESTS, 1000],
  ['open streams of a person', MAX_OPEN.stream, 30],
  ['CSV files that a person receives at once', MAX_OPEN.csv, 2],
  ['files of a person that are held in memory at once', MAX_OPEN.form, 2],
  ['reads of a person that run at once', MAX_READS, 3],
  ['connections of a node', MAX_CONNECTIONS.all, 10_000],
  ['connections of a network', MAX_CONNECTIONS.ofNetwork, 2000],
])('%s', (_, limit, value) => {
  expect(limit).toBe(value)
})
