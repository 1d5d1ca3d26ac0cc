// Two imports of people by the administrator: one that was canceled, and one whose plan waits for its confirmation.
import { ImportSource, ImportState } from '@acc/contract/labels/userImports'
import { type Author, change } from '../src/core/change.ts'
import type { Services } from '../src/core/services.ts'
import { readFile } from '../src/domains/userImports/userImports.file.ts'
import { planRun } from '../src/domains/userImports/userImports.plan.ts'
import { findRun, lockRun } from '../src/domains/userImports/userImports.queries.ts'
import { endRun } from '../src/domains/userImports/userImports.runs.ts'
import { openImport, storeSource } from '../src/domains/userImports/userImports.start.ts'
import type { DemoActor } from './past.ts'

const OPTIONS = { addsGroups: 0, adopts: 1, isComplete: 0, mailsPasswords: 1 } as const
/** New people, a new address, a move, and what goes wrong: an address and a group. */
const LINES = [
  '아이디,이름,이메일,그룹,만료일,사용',
  'daeun.choi,최다은,daeun.choi@acme.example,연구개발본부 > 데이터실,,1',
  'haram.jeon,전하람,haram.jeon@acme.example,연구개발본부 > 플랫폼실 > 백엔드팀,,1',
  'noeul.baek,백노을,noeul.baek@acme.example,설계센터 > 기구설계팀,,1',
  'areum.song,송아름,areum.song@acme.example,영업본부 > 해외영업팀,,1',
  'byeol.ko,고별,byeol.ko@acme.example,생산본부 > 평택공장 > 품질팀,2027-12-31,1',
  'seoyeon.kim,김서연,seoyeon@acme.example,,,',
  'minjun.park,박민준,,연구개발본부 > 데이터실,,',
  'gaon.lim,임가온,gaon.lim.acme.example,설계센터 > 금형팀,,1',
  'bom.yoo,유봄,bom.yoo@acme.example,연구개발본부 > 보안기술실,,1',
]

async function plan(services: Services, author: Author, fileName: string): Promise<number> {
  const source = await readFile(Buffer.from(LINES.join('\r\n')), true)
  const open = { source: ImportSource.FILE, fileName, options: OPTIONS, baseGroupIdx: null, author }
  const idx = await change(services.db, { author, now: services.clock.now }, async (tx) => {
    const opened = await openImport(tx, services, open)
    const run = await lockRun(tx, opened)
    if (run !== undefined) await storeSource(tx, services, run, source)
    return { result: opened }
  })
  const run = await findRun(services.db.read, idx)
  if (run !== undefined) await planRun(services, run)
  return idx
}

/** Adds the imports. Nobody changes by them. */
export async function addImports(services: Services, { idx, id, name, groupName, ip }: DemoActor): Promise<void> {
  const author = { idx, id, name, groupName, ip }
  const canceled = await plan(services, author, '2026년 신규 입사자 (초안).csv')
  await change(services.db, { author, now: services.clock.now }, async (tx) => {
    const run = await lockRun(tx, canceled)
    if (run === undefined) return { result: undefined }
    return { result: undefined, log: [await endRun(tx, services, run, { state: ImportState.CANCELED })] }
  })
  await plan(services, author, '2026년 신규 입사자.csv')
}
