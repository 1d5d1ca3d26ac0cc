// The settings of the sample organization: the host server address and the configurations for desktop clients.
import { DEFAULT_RULES } from '@acc/contract/labels/passwordRules'
import { OtpUse } from '@acc/contract/labels/users'
import { ConfigKind } from '../src/domains/configTexts/configTexts.format.ts'
import { setConfig } from '../src/domains/configTexts/configTexts.service.ts'
import { findProtection } from '../src/domains/credentials/formerPasswords.ts'
import { setFileRetention, setHost } from '../src/domains/infos/infos.service.ts'
import { addExceptions } from '../src/domains/loginPolicy/loginPolicy.otp.ts'
import { setRules } from '../src/domains/loginPolicy/loginPolicy.rules.ts'
import { updateSetting } from '../src/settings/settings.ts'
import type { Calendar } from './days.ts'
import { contextOf, type DemoActor, type Moment, type Step } from './past.ts'
import type { People } from './people.ts'

const { SITE_CONFIG, CLIENT_POLICY } = ConfigKind

const siteConfig = (port: number, drives: string) => `<?xml version="1.0" encoding="UTF-8"?>
<site>
  <!-- 접속 서버 -->
  <server host="{{HOST}}" port="${port}" />
  <workspace>
    <drives>${drives}</drives>
    <watermark enabled="true">대외비</watermark>
  </workspace>
</site>
`
const clientPolicy = (minutes: number) =>
  `${JSON.stringify({ server: 'https://{{HOST}}', update: { check: 'daily', hour: 12 }, lockAfterMinutes: minutes }, null, 2)}\n`

/** Days after which files are removed: those of the first weeks are gone. */
const RETENTION_DAYS = 330

const set = (kind: ConfigKind, text: string) => (moment: Moment) =>
  setConfig(contextOf(moment), kind, { text, revision: undefined })

const passwordRules = {
  positiveRules: [...DEFAULT_RULES.positiveRules, { name: '영문자로 시작', reg: '^[a-zA-Z]' }],
  negativeRules: [...DEFAULT_RULES.negativeRules, { name: '회사 이름(acme)', reg: '[aA][cC][mM][eE]' }],
}

/** People who sign in with a one-time password in any case, or never. None of them is listed at the start. */
const EXCEPTIONS: Record<0 | 1, readonly (readonly [group: string, place: number])[]> = {
  [OtpUse.ALWAYS]: [
    ['재무팀', 1],
    ['재무팀', 2],
    ['금형팀', 1],
    ['San Jose Office', 1],
  ],
  [OtpUse.NEVER]: [
    ['생산2팀', 1],
    ['생산2팀', 2],
    ['품질팀', 1],
  ],
}

/** Adds exceptions. The mails about them would all be sent at the start: they are left out. */
const except = (people: People, useOtp: 0 | 1) => async (moment: Moment) => {
  const { tx } = moment
  const protection = await findProtection(tx)
  await updateSetting(tx, 'accountProtection', { ...protection, changeMails: 0 })
  const userIdxes = EXCEPTIONS[useOtp].map(([group, place]) => people.at(group, place).idx)
  await addExceptions(contextOf(moment), { userIdxes, useOtp })
  await updateSetting(tx, 'accountProtection', protection)
}

export const settingSteps = ({ at, ago }: Calendar, by: DemoActor, people: People): Step[] => [
  { at: at(1, 9, 40), by, run: (moment) => setHost(contextOf(moment), 'acc.acme.example') },
  { at: at(1, 10, 5), by, run: set(SITE_CONFIG, siteConfig(8443, 'D:, E:')) },
  { at: at(1, 10, 20), by, run: set(CLIENT_POLICY, clientPolicy(30)) },
  { at: at(2, 11, 30), by, run: (moment) => setFileRetention(contextOf(moment), RETENTION_DAYS) },
  { at: at(16, 14, 35), by, run: set(SITE_CONFIG, siteConfig(443, 'D:, E:')) },
  { at: at(20, 15, 20), by, run: except(people, OtpUse.ALWAYS) },
  { at: at(20, 15, 25), by, run: except(people, OtpUse.NEVER) },
  { at: at(24, 9, 15), by, run: (moment) => setRules(contextOf(moment), passwordRules) },
  { at: at(31, 11, 10), by, run: set(CLIENT_POLICY, clientPolicy(10)) },
  { at: at(45, 16, 50), by, run: set(SITE_CONFIG, siteConfig(443, 'D:')) },
  { at: at(57, 10, 30), by, run: set(CLIENT_POLICY, clientPolicy(20)) },
  { at: ago(221), by, run: set(CLIENT_POLICY, clientPolicy(15)) },
  { at: ago(216), by, run: set(SITE_CONFIG, siteConfig(443, 'D:, F:')) },
]
