// The settings of the sample organisation: the host server address and the configurations for desktop clients.
import { ConfigKind } from '../src/domains/configTexts/configTexts.format.ts'
import { setConfig } from '../src/domains/configTexts/configTexts.service.ts'
import { setHost } from '../src/domains/infos/infos.service.ts'
import type { Calendar } from './days.ts'
import { contextOf, type DemoActor, type Moment, type Step } from './past.ts'

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

const set = (kind: ConfigKind, text: string) => (moment: Moment) =>
  setConfig(contextOf(moment), kind, { text, revision: undefined })

export const settingSteps = ({ at }: Calendar, by: DemoActor): Step[] => [
  { at: at(1, 9, 40), by, run: (moment) => setHost(contextOf(moment), 'acc.acme.example') },
  { at: at(1, 10, 5), by, run: set(SITE_CONFIG, siteConfig(8443, 'D:, E:')) },
  { at: at(1, 10, 20), by, run: set(CLIENT_POLICY, clientPolicy(30)) },
  { at: at(16, 14, 35), by, run: set(SITE_CONFIG, siteConfig(443, 'D:, E:')) },
  { at: at(31, 11, 10), by, run: set(CLIENT_POLICY, clientPolicy(10)) },
  { at: at(45, 16, 50), by, run: set(SITE_CONFIG, siteConfig(443, 'D:')) },
]
