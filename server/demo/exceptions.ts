// Exceptions in the policies of the sample organization.
import { ExceptionType } from '@acc/contract/labels/policies'
import type { ExceptionLists, LoopbackException, NetworkException } from '@acc/contract/policyExceptions'

const { DOMAIN, IP_RANGE, SUBNET } = ExceptionType
type Rule = Omit<NetworkException, 'idx'>
type Place = Pick<Rule, 'port' | 'access'>

const allowed = (port = 0): Place => ({ port, access: 1 })
const blocked = (port = 0): Place => ({ port, access: 0 })
const domain = (description: string, ip1: string, place: Place): Rule => ({
  description,
  type: DOMAIN,
  ip1,
  ip2: '',
  ...place,
})
const range = (description: string, ip1: string, ip2: string, place: Place): Rule => ({
  description,
  type: IP_RANGE,
  ip1,
  ip2,
  ...place,
})
const subnet = (description: string, ip1: string, ip2: string, place: Place): Rule => ({
  description,
  type: SUBNET,
  ip1,
  ip2,
  ...place,
})
const rules = (...rows: Rule[]): NetworkException[] => rows.map((row, at) => ({ ...row, idx: -1 - at }))
const processes = (...rows: [description: string, processName: string][]): LoopbackException[] =>
  rows.map(([description, processName], at) => ({ idx: -1 - at, description, processName }))

const OFFICE = [
  subnet('파일 서버', '10.20.0.0', '255.255.255.0', allowed(445)),
  range('사내 프린터', '10.20.5.10', '10.20.5.30', allowed(9100)),
]

/** The lists of the policies that have some, by group; `root` is the whole organization's. */
export const EXCEPTIONS: Record<string, Partial<ExceptionLists>> = {
  root: {
    policyNetworkExceptions: rules(
      domain('개인 메일', '*.webmail.example', blocked()),
      domain('파일 공유 사이트', '*.fileshare.example', blocked()),
    ),
    policyLocalNetworkExceptions: rules(...OFFICE),
    policyLoopbackExceptions: processes(['전자 결재', 'approval.exe'], ['보안 모듈', 'securekey.exe']),
  },
  연구개발본부: {
    policyLocalNetworkExceptions: rules(
      ...OFFICE,
      range('빌드 서버', '10.30.1.11', '10.30.1.18', allowed()),
      domain('소스 저장소', 'git.hanbit.example', allowed(443)),
      range('라이선스 서버', '10.30.2.5', '10.30.2.5', allowed(27_000)),
    ),
    policyLoopbackExceptions: processes(
      ['전자 결재', 'approval.exe'],
      ['보안 모듈', 'securekey.exe'],
      ['개발 도구', 'code.exe'],
      ['로컬 데이터베이스', 'postgres.exe'],
    ),
  },
  협력사: {
    policyNetworkExceptions: rules(
      domain('협력사 포털', 'partners.hanbit.example', allowed(443)),
      domain('도면 서버', 'drawings.hanbit.example', allowed(443)),
      range('원격 지원', '203.0.113.20', '203.0.113.24', allowed(8443)),
      subnet('시험망', '198.51.100.0', '255.255.255.192', blocked()),
    ),
  },
}
