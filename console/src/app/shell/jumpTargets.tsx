// What Ctrl K opens, each with its names and its icon: screens with their parts and commands, the viewer's own actions,
// and records.
import type { api } from '@acc/contract'
import type { DataOf } from '@acc/contract/core/route'
import { Level } from '@acc/contract/labels/access'
import { requestStateLabel, Transfer } from '@acc/contract/labels/requests'
import type { User } from '@acc/contract/users'
import {
  IconAdjustments,
  IconFile,
  IconPlus,
  type IconProps,
  IconSitemap,
  IconUser,
  IconUserShield,
} from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'
import { placeOf } from '../../features/approvals/approvals.ts'
import { useGroupIndex } from '../../features/groups/exports.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import type { Jump, Screen } from '../../kit/layout/screen.ts'
import { useOpenScreen } from '../../kit/layout/view.ts'
import { type Bilingual, useLanguage } from '../../kit/texts/texts.ts'
import type { AccountAction } from './useAccountActions.tsx'

export type JumpTarget = {
  id: string
  label: string
  detail?: string | undefined
  icon: ReactNode
  /** What it is found by, besides the words. */
  names: readonly string[]
  words: string
  open: () => void
  /** How the heading of its pane starts, which receives the focus. */
  heading?: string
  /** Whether it is offered first the next time. */
  isKept: boolean
}

export const USERS = 'users'
export const AUTHORITIES = 'authorities'
const POLICIES = 'policies'
/** The screens that show a group. */
const GROUP_SCREENS = [POLICIES, USERS]
const WHY = { ko: '적용 근거', en: 'Why this applies' }

const iconOf = (Icon: ComponentType<IconProps>) => <Icon size={16} stroke={1.7} />

type Request = DataOf<typeof api.requests.find>
export type Opens = { screens: readonly Screen[]; actions: readonly AccountAction[] }

/** Returns how records of each kind are shown; undefined for a kind that no open screen shows. */
export function useRecordTargets(screens: readonly Screen[]) {
  const openScreen = useOpenScreen()
  const language = useLanguage()
  const { pathOf } = useGroupIndex()
  const has = (name: string) => screens.some((screen) => screen.name === name)
  const groupScreen = GROUP_SCREENS.find(has)
  const common = { words: '', isKept: true }
  const named = (name: string) => ({ ...common, label: name, names: [name], heading: name })
  return {
    has,
    user: ({ idx, id, name, email, groupName }: Pick<User, 'idx' | 'id' | 'name' | 'email' | 'groupName'>) => ({
      ...named(name),
      id: `user${idx}`,
      names: [name, id, email],
      detail: `${id} · ${groupName}`,
      icon: iconOf(IconUser),
      open: () => openScreen(USERS, { idx }),
    }),
    group: ({ idx, name }: { idx: number; name: string }): JumpTarget[] =>
      groupScreen === undefined
        ? []
        : [
            {
              ...named(name),
              id: `group${idx}`,
              detail: pathOf(idx).slice(0, -1).join(' › '),
              icon: iconOf(IconSitemap),
              open: () => openScreen(groupScreen, { groupIdx: idx }),
            },
          ],
    authority: ({ idx, name }: { idx: number; name: string }): JumpTarget => ({
      ...named(name),
      id: `authority${idx}`,
      icon: iconOf(IconUserShield),
      open: () => openScreen(AUTHORITIES, { idx }),
    }),
    request: (request: Request): JumpTarget[] => {
      const { screen, view } = placeOf(request)
      const { idx, type, requesterName } = request
      const state = requestStateLabel(request)[language]
      const target = {
        ...common,
        id: `request${idx}`,
        label: `#${idx} ${requesterName}`,
        names: [String(idx)],
        detail: `${Transfer.labels[type][language]} · ${state}`,
        icon: iconOf(IconFile),
        open: () => openScreen(screen, view),
        heading: `#${idx} `,
      }
      return has(screen) ? [target] : []
    },
  }
}

/** Returns why the policy of a person applies, as a target; none where the viewer may not read the policy. */
export function useWhyTarget(screens: readonly Screen[]) {
  const openScreen = useOpenScreen()
  const language = useLanguage()
  const { find } = useGroupIndex()
  const canOpen = screens.some(({ name }) => name === POLICIES)
  return ({ idx, id, name, groupIdx }: Pick<User, 'idx' | 'id' | 'name' | 'groupIdx'>): JumpTarget[] => {
    if (!canOpen || (find(groupIdx)?.maxPolicy ?? Level.NONE) === Level.NONE) return []
    const target = {
      id: `why${idx}`,
      label: `${name} · ${WHY[language]}`,
      detail: id,
      icon: iconOf(IconAdjustments),
      names: [name],
      words: '',
      open: () => openScreen(POLICIES, { groupIdx, userIdx: idx, isExplained: true }),
      heading: name,
      isKept: false,
    }
    return [target]
  }
}

/** Returns the screens with their parts, and the commands. */
export function useFixedTargets({ screens, actions }: Opens) {
  const language = useLanguage()
  const openScreen = useOpenScreen()
  const { can } = useViewer()
  const named = (title: Bilingual) => ({
    label: title[language],
    // "policy" finds "Policies": its beginning differs.
    names: [title.ko, title.en, title.en.replace(/ies$/, 'y')],
  })
  const screenOf = ({ name, title, words = '', icon }: Screen): JumpTarget => ({
    ...named(title),
    id: name,
    words,
    icon: iconOf(icon),
    isKept: true,
    open: () => openScreen(name),
  })
  const partOf = (screen: Screen, { title, words = '', within, view, isCommand }: Jump): JumpTarget => ({
    ...named(title),
    id: `${screen.name} ${JSON.stringify(view)}`,
    words,
    detail: [screen.title, ...(within ? [within] : [])].map((one) => one[language]).join(' › '),
    icon: iconOf(isCommand ? IconPlus : screen.icon),
    isKept: !isCommand,
    open: () => openScreen(screen.name, view),
  })
  const partsOf = (screen: Screen, commands: boolean) =>
    (screen.jumps ?? [])
      .filter(({ isCommand = false, access }) => isCommand === commands && (access === undefined || can(access)))
      .map((jump) => partOf(screen, jump))
  const actionOf = ({ name, title, words, icon, run }: AccountAction): JumpTarget => {
    const shown = typeof icon === 'string' ? <b aria-hidden>{icon}</b> : icon
    return { ...named(title), id: `action ${name}`, words, icon: shown, isKept: false, open: run }
  }
  return {
    screens: screens.map(screenOf),
    parts: screens.flatMap((screen) => partsOf(screen, false)),
    commands: [...screens.flatMap((screen) => partsOf(screen, true)), ...actions.map(actionOf)],
  }
}
