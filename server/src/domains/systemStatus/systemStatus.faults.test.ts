import { FAULT_NAMES } from '@acc/contract/labels/systemStatus'
import { expect, test } from 'vitest'
import { days, hours, later, minutes } from '../../clock.ts'
import { type Figures, findFaults } from './systemStatus.faults.ts'

const NOW = new Date('2026-11-22T09:00:00.000Z')
const ago = (milliseconds: number) => later(NOW, -milliseconds).toISOString()
const dayIn = (count: number) => later(NOW, days(count)).toISOString().slice(0, 10)
const GIB = 2 ** 30

const node = {
  name: 'a:8080',
  version: '1.0.0',
  startDT: ago(hours(1)),
  seenDT: ago(0),
  isSilent: 0 as const,
  memory: 1,
  clockOffset: 0,
}
const job = { name: 'sweep', cron: '0 * * * *', completeDT: ago(minutes(5)), failDT: null, failures: 0, waiting: 0 }
const fine: Figures = {
  database: { version: '18.1', isEmbedded: 1, size: 1, connections: 80, maxConnections: 100, canAlter: 0 },
  files: { kind: 'folder', freeSpace: 10 * GIB },
  damagedFiles: { count: 0, items: [] },
  requests: { undecidable: 0, overdueReviews: 0 },
  mail: { waiting: 3, failed: 0, dueDT: ago(minutes(60)), isOutbox: 0 },
  license: { useCount: 89, maxCount: 100, expiry: dayIn(31), isEvaluation: 0, isExpired: 0 },
  backup: { moment: ago(days(7)), size: 1, missing: 0, isOnSameDisk: 0, checkDT: ago(days(6)), failure: null },
  backupDueDT: ago(0),
  archive: {
    throughDT: ago(minutes(5)),
    baseDT: ago(days(1)),
    waitingFiles: 1,
    failure: null,
    checkDT: null,
    finding: null,
  },
  archiveWaitDT: { wal: later(NOW, -minutes(5)), file: later(NOW, -minutes(60)) },
  history: { checkDT: ago(days(1)), finding: null },
  isHeadNew: false,
  imports: { isBraked: false, isRefused: false },
  outlets: [{ name: 'file', sendDT: null, waitDT: ago(minutes(15)) }],
  jobs: [job, { ...job, failDT: ago(minutes(6)), failures: 1 }],
  nodes: [node, { ...node, clockOffset: -5_000 }],
  jobDueDT: later(NOW, -minutes(60)),
}
const { license, archive } = fine
if (archive === null) throw new Error('there is an archive')

test('at its bounds everything is fine', () => {
  expect(findFaults(fine, NOW)).toEqual([])
})

const CASES: [(typeof FAULT_NAMES)[number], Partial<Figures>][] = [
  ['connectionsScarce', { database: { ...fine.database, connections: 81 } }],
  ['roleTooStrong', { database: { ...fine.database, canAlter: 1 } }],
  ['clockDiffers', { nodes: [{ ...node, clockOffset: -5_001 }] }],
  ['spaceLow', { files: { kind: 'folder', freeSpace: 10 * GIB - 1 } }],
  ['spaceExhausted', { files: { kind: 'folder', freeSpace: GIB - 1 } }],
  ['storeUnavailable', { files: null }],
  ['filesDamaged', { damagedFiles: { count: 1, items: [] } }],
  ['mailServerMissing', { mail: { ...fine.mail, isOutbox: 1 } }],
  ['mailFailed', { mail: { ...fine.mail, failed: 1 } }],
  ['mailDelayed', { mail: { ...fine.mail, dueDT: ago(minutes(61)) } }],
  ['licenseAlmostFull', { license: { ...license, useCount: 90 } }],
  ['licenseFull', { license: { ...license, useCount: 100 } }],
  ['licenseExpiring', { license: { ...license, expiry: dayIn(29) } }],
  ['licenseExpired', { license: { ...license, expiry: dayIn(-1), isExpired: 1 } }],
  ['backupOld', { backupDueDT: ago(1) }],
  [
    'backupInvalid',
    { backup: { moment: ago(1), size: 1, missing: 0, isOnSameDisk: 0, checkDT: ago(0), failure: 'damaged' } },
  ],
  [
    'backupIncomplete',
    { backup: { moment: ago(1), size: 1, missing: 1, isOnSameDisk: 0, checkDT: ago(0), failure: null } },
  ],
  [
    'backupOnSameDisk',
    { backup: { moment: ago(1), size: 1, missing: 0, isOnSameDisk: 1, checkDT: null, failure: null } },
  ],
  ['archiveDelayed', { archiveWaitDT: { wal: later(NOW, -minutes(5) - 1), file: null } }],
  ['archiveDelayed', { archiveWaitDT: { wal: NOW, file: later(NOW, -minutes(60) - 1) } }],
  ['archiveInvalid', { archive: { ...archive, checkDT: ago(0), finding: 'a chunk is missing' } }],
  ['historyAltered', { history: { checkDT: ago(0), finding: 'row 5 of seal 2 is missing' } }],
  ['sealHeadTaken', { isHeadNew: true }],
  ['historyDelayed', { outlets: [{ name: 'syslog', sendDT: null, waitDT: ago(minutes(15) + 1) }] }],
  ['requestsUndecidable', { requests: { undecidable: 1, overdueReviews: 0 } }],
  ['reviewsOverdue', { requests: { undecidable: 0, overdueReviews: 1 } }],
  ['importBraked', { imports: { isBraked: true, isRefused: false } }],
  ['importRefused', { imports: { isBraked: false, isRefused: true } }],
  ['jobFailed', { jobs: [{ ...job, failDT: ago(minutes(4)), failures: 1 }] }],
  ['jobDelayed', { jobDueDT: later(NOW, -minutes(61)) }],
  ['nodeSilent', { nodes: [node, { ...node, isSilent: 1 }] }],
  ['versionsDiffer', { nodes: [node, { ...node, version: '1.0.1' }] }],
]

test.each(CASES)('%s is found, alone', (fault, figures) => {
  expect(findFaults({ ...fine, ...figures }, NOW)).toEqual([fault])
})

test('every fault has a case', () => {
  expect([...new Set(CASES.map(([fault]) => fault))]).toEqual(FAULT_NAMES)
})

test('a silent node of another version or with another clock is only silent', () => {
  const silent = { ...node, isSilent: 1 as const, version: '0.9.0', clockOffset: 60_000 }
  expect(findFaults({ ...fine, nodes: [node, silent] }, NOW)).toEqual(['nodeSilent'])
})

test('urgent faults come first', () => {
  const figures = {
    ...fine,
    mail: { ...fine.mail, failed: 1, dueDT: ago(days(1)) },
    files: { kind: 'folder', freeSpace: 0 } as const,
  }
  expect(findFaults(figures, NOW)).toEqual(['spaceExhausted', 'mailDelayed', 'mailFailed'])
})
