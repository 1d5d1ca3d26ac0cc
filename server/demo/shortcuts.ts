// The shortcuts of the sample organization: web pages and programs. The root group's policy has the first ones.
import { ROOT_GROUP } from '@acc/contract/groups'
import { updatePolicy } from '../src/domains/policies/policies.service.ts'
import { ShortcutKind } from '../src/domains/shortcuts/shortcuts.queries.ts'
import { createShortcut, removeShortcuts, updateShortcut } from '../src/domains/shortcuts/shortcuts.service.ts'
import type { Calendar } from './days.ts'
import { contextOf, type DemoActor, type Moment, type Step } from './past.ts'

const { WEB, PROGRAM } = ShortcutKind
type Plan = readonly [kind: ShortcutKind, name: string, target: string]

const PLANS: readonly Plan[] = [
  [WEB, '그룹웨어', 'https://gw.example.com/'],
  [WEB, '전자결재', 'https://approval.example.com/inbox'],
  [WEB, '사내 위키', 'https://wiki.example.com/'],
  [PROGRAM, '한글 뷰어', 'C:\\Program Files\\HNC\\Viewer\\HwpViewer.exe'],
  [WEB, '근태 관리', 'https://hr.example.com/attendance'],
  [WEB, '교육 포털', 'https://learn.example.com/'],
  [WEB, '도면 관리 (PLM)', 'https://plm.example.com/drawings'],
  [WEB, '코드 저장소', 'https://git.example.com/'],
  [WEB, '이슈 관리', 'https://issues.example.com/board'],
  [WEB, 'Travel desk', 'https://travel.example.com/'],
  [WEB, '협력사 포털', 'https://partner.example.com/'],
  [WEB, '식단표', 'http://cafeteria.example.com/today'],
  [PROGRAM, '설계 뷰어', '%ProgramFiles%\\CAD Viewer\\viewer.exe'],
  [PROGRAM, '사내 메신저', '%LOCALAPPDATA%\\Messenger\\messenger.exe'],
  [PROGRAM, '메모장', 'C:\\Windows\\System32\\notepad.exe'],
  [PROGRAM, 'R', '%ProgramFiles%\\R\\R-4.5\\bin\\x64\\Rgui.exe'],
]
/** In the policy of the whole organization. */
const FOR_ALL = 4

async function create(moment: Moment, [kind, name, target]: Plan, made: Map<string, number>): Promise<void> {
  const { idx } = await createShortcut(contextOf(moment), kind, { name, target })
  made.set(name, idx)
}

/** Gives the first shortcuts to the policy of the root group. */
async function giveToAll(moment: Moment, made: Map<string, number>): Promise<void> {
  const { idx } = await moment.tx
    .selectFrom('policies')
    .select('idx')
    .where('groupIdx', '=', ROOT_GROUP)
    .executeTakeFirstOrThrow()
  const idxesOf = (kind: ShortcutKind) =>
    PLANS.slice(0, FOR_ALL).flatMap(([of, name]) => (of === kind ? [made.get(name) ?? 0] : []))
  await updatePolicy(contextOf(moment), {
    idx,
    shortcutWebIdxes: idxesOf(WEB),
    shortcutProgramIdxes: idxesOf(PROGRAM),
  })
}

/** Creates the shortcuts on the third day; later an address moves to https, and a program goes. */
export function shortcutSteps({ at }: Calendar, by: DemoActor): Step[] {
  const made = new Map<string, number>()
  const old: Plan = [PROGRAM, '구형 뷰어', 'C:\\Legacy\\viewer.exe']
  return [
    ...[...PLANS, old].map((plan, index) => ({
      at: at(2, 10, 2 * index),
      by,
      run: (moment: Moment) => create(moment, plan, made),
    })),
    { at: at(2, 11, 0), by, run: (moment: Moment) => giveToAll(moment, made) },
    {
      at: at(27, 14, 10),
      by,
      run: async (moment) => {
        const idx = made.get('식단표') ?? 0
        const target = 'https://cafeteria.example.com/today'
        await updateShortcut(contextOf(moment), WEB, { idx, name: '오늘의 식단', target })
      },
    },
    {
      at: at(41, 9, 45),
      by,
      run: async (moment) =>
        void (await removeShortcuts(contextOf(moment), PROGRAM, { idxes: [made.get(old[1]) ?? 0] })),
    },
  ]
}
