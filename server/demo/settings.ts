// The settings of the sample organization: license, mails, login policy, configurations, shortcuts and client versions.
import { Readable } from 'node:stream'
import { ROOT_GROUP } from '@acc/contract/groups'
import { DEFAULT_RULES } from '@acc/contract/labels/passwordRules'
import { OwnerType } from '@acc/contract/labels/policies'
import { OtpUse } from '@acc/contract/labels/users'
import { deployVersion, removeVersion, uploadVersion } from '../src/domains/clientVersions/clientVersions.service.ts'
import { ConfigKind } from '../src/domains/configTexts/configTexts.format.ts'
import { setConfig } from '../src/domains/configTexts/configTexts.service.ts'
import { findProtection } from '../src/domains/credentials/formerPasswords.ts'
import { setFileRetention, setHost } from '../src/domains/infos/infos.service.ts'
import { chooseEvaluation } from '../src/domains/licenses/licenses.registration.ts'
import { addExceptions } from '../src/domains/loginPolicy/loginPolicy.otp.ts'
import { setRules } from '../src/domains/loginPolicy/loginPolicy.settings.ts'
import { chooseOutbox } from '../src/domains/mails/mails.service.ts'
import { ShortcutKind } from '../src/domains/shortcuts/shortcuts.queries.ts'
import { createShortcut, removeShortcuts, updateShortcut } from '../src/domains/shortcuts/shortcuts.service.ts'
import { updateSetting } from '../src/settings/settings.ts'
import { setValues } from './groups.ts'
import type { Cast } from './past.ts'
import type { Place } from './people.ts'
import { makeProgram } from './program.ts'

const siteConfig = (port: number, drives: string) => `<?xml version="1.0" encoding="UTF-8"?>
<site>
  <server host="{{HOST}}" port="${port}" />
  <workspace drives="${drives}" watermark="대외비" />
</site>
`
const clientPolicy = (minutes: number) =>
  `${JSON.stringify({ server: 'https://{{HOST}}', update: { check: 'daily', hour: 12 }, lockAfterMinutes: minutes }, null, 2)}\n`

const PASSWORD_RULES = {
  positiveRules: [...DEFAULT_RULES.positiveRules, { name: '영문자로 시작', reg: '^[a-zA-Z]' }],
  negativeRules: [...DEFAULT_RULES.negativeRules, { name: '회사 이름(acme)', reg: '[aA][cC][mM][eE]' }],
}

function addConfigs({ at, ago, on, admin, people }: Cast): void {
  const set = (when: Date, kind: ConfigKind, text: string) =>
    on(when, admin, (past) => setConfig(past, kind, { text, revision: undefined }))
  const { SITE_CONFIG, CLIENT_POLICY } = ConfigKind
  on(at(0, 16), admin, chooseEvaluation)
  on(at(0, 16, 5), admin, chooseOutbox)
  on(at(1, 9, 10), admin, (past) => setHost(past, 'acc.acme.example'))
  // The files of the first days were removed.
  on(at(2, 11, 30), admin, (past) => setFileRetention(past, 25))
  // Without mails, which would all be sent at the start.
  const except = (when: Date, useOtp: 0 | 1, ...places: Place[]) =>
    on(when, admin, async (past) => {
      const protection = await findProtection(past.tx)
      await updateSetting(past.tx, 'accountProtection', { ...protection, changeMails: 0 })
      await addExceptions(past, { userIdxes: places.map((place) => people.at(place).idx), useOtp })
      await updateSetting(past.tx, 'accountProtection', protection)
    })
  except(at(10, 15, 20), OtpUse.ALWAYS, '재무팀/1', '재무팀/2', '금형팀/1', 'San Jose Office/1')
  except(at(10, 15, 25), OtpUse.NEVER, '생산2팀/1', '생산2팀/2', '품질팀/1')
  on(at(11, 9, 15), admin, (past) => setRules(past, PASSWORD_RULES))
  set(at(1, 10, 5), SITE_CONFIG, siteConfig(8443, 'D:, E:'))
  set(at(1, 10, 20), CLIENT_POLICY, clientPolicy(30))
  set(at(16, 11, 10), CLIENT_POLICY, clientPolicy(10))
  set(at(24, 16, 50), SITE_CONFIG, siteConfig(443, 'D:'))
  set(ago(216), SITE_CONFIG, siteConfig(443, 'D:, F:'))
}

const SHORTCUTS = {
  그룹웨어: 'https://gw.example.com/',
  전자결재: 'https://approval.example.com/inbox',
  '사내 위키': 'https://wiki.example.com/',
  '도면 관리 (PLM)': 'https://plm.example.com/drawings',
  '코드 저장소': 'https://git.example.com/',
  '안전 교육': 'https://safety.example.com/',
  식단표: 'http://cafeteria.example.com/today',
  '한글 뷰어': 'C:\\Program Files\\HNC\\Viewer\\HwpViewer.exe',
  '설계 뷰어': '%ProgramFiles%\\CAD Viewer\\viewer.exe',
  메모장: 'C:\\Windows\\System32\\notepad.exe',
  '구형 뷰어': 'C:\\Legacy\\viewer.exe',
}

/** Creates the shortcuts, four of them for all. Later addresses change, and a program is removed. */
function addShortcuts({ at, ago, on, admin }: Cast): void {
  const { WEB, PROGRAM } = ShortcutKind
  const made = new Map<string, number>()
  for (const [index, [name, target]] of Object.entries(SHORTCUTS).entries())
    on(at(2, 10, 2 * index), admin, async (past) => {
      const kind = target.startsWith('http') ? WEB : PROGRAM
      made.set(name, (await createShortcut(past, kind, { name, target })).idx)
    })
  const idxes = (...names: string[]) => names.map((name) => made.get(name) ?? 0)
  on(at(2, 11), admin, (past) => {
    const shortcutWebIdxes = idxes('그룹웨어', '전자결재', '사내 위키')
    return setValues(past, ROOT_GROUP, OwnerType.GROUP, { shortcutWebIdxes, shortcutProgramIdxes: idxes('한글 뷰어') })
  })
  const change = (when: Date, name: string, newName: string, target: string) =>
    on(when, admin, (past) => updateShortcut(past, WEB, { idx: made.get(name) ?? 0, name: newName, target }))
  change(at(14, 14, 10), '식단표', '오늘의 식단', 'https://cafeteria.example.com/today')
  change(at(28, 11, 15), '안전 교육', '안전 교육', 'https://safety.example.com/courses')
  change(ago(233), '안전 교육', '안전 교육', 'https://safety.example.com/courses/2nd-half')
  on(at(22, 9, 45), admin, (past) => removeShortcuts(past, PROGRAM, { idxes: idxes('구형 뷰어') }))
}

/** Uploads, deploys and removes client versions: programs that start and end. */
function addVersions({ at, ago, on, admin }: Cast): void {
  const upload = (when: Date, ...numbers: [number, number, number, number]) => {
    const version = numbers.join('.')
    on(when, admin, (past) => {
      // An installer has its files behind the program.
      const bytes = makeProgram(numbers, Buffer.alloc(1_500_000 + 5_000 * numbers[3], version))
      const file = { name: `ACC_Client_Setup_${version}.exe`, size: bytes.length, chunks: Readable.from([bytes]) }
      return uploadVersion({ ...past, file })
    })
    return version
  }
  const deploy = (when: Date, version: string) => on(when, admin, (past) => deployVersion(past, { version }))
  deploy(at(1, 11, 30), upload(at(1, 11, 20), 4, 1, 1, 131))
  deploy(at(2, 18, 30), upload(at(2, 13, 20), 4, 1, 2, 148))
  const faulty = upload(at(11, 13, 20), 4, 2, 0, 204)
  on(at(14, 9, 5), admin, (past) => removeVersion(past, { version: faulty }))
  deploy(at(15, 18, 30), upload(at(15, 13, 20), 4, 2, 0, 212))
  upload(at(23, 13, 20), 4, 2, 1, 226)
  upload(at(29, 13, 20), 4, 3, 0, 240)
  upload(ago(170), 4, 3, 1, 247)
}

export function addSettingSteps(cast: Cast): void {
  addConfigs(cast)
  addShortcuts(cast)
  addVersions(cast)
}
