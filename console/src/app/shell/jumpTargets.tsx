// What the jump dialog finds: screens by their title, groups by name, users through the search of the server.
import { api } from '@acc/contract'
import { IconSitemap, IconUser } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useGroupIndex } from '../../features/groups/exports.ts'
import { useApiQuery } from '../../kit/api/query.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import type { Screen } from '../../kit/layout/screen.ts'
import { useOpenScreen } from '../../kit/layout/view.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { appTexts } from './app.texts.ts'

export type JumpTarget = { id: string; label: string; detail?: string; icon: ReactNode; open: () => void }
export type JumpGroup = { title: string; targets: JumpTarget[] }

const AT_MOST = 6
/** The screens that show users and groups; without access to them, users and groups are not offered. */
const USERS = 'users'
const GROUP_SCREENS = ['policies', USERS]

const matches = (name: string, search: string) => name.toLocaleLowerCase().includes(search.toLocaleLowerCase())

function useUserTargets(search: string, isOn: boolean): JumpTarget[] {
  const openScreen = useOpenScreen()
  const { can } = useViewer()
  const isSearching = isOn && search !== '' && can(api.users.search.access)
  const input = { rowsCount: AT_MOST, filterType: 0, id: search, name: search, email: search } as const
  const found = useApiQuery(api.users.search, input, { enabled: isSearching, keepsFormer: true })
  if (!isSearching) return []
  return (found.data?.items ?? []).map((user) => ({
    id: `user${user.idx}`,
    label: user.name,
    detail: `${user.id} · ${user.groupName}`,
    icon: <IconUser size={16} />,
    open: () => openScreen(USERS, { idx: user.idx }),
  }))
}

function useGroupTargets(search: string, screen: string | undefined): JumpTarget[] {
  const openScreen = useOpenScreen()
  const { rows, pathOf } = useGroupIndex()
  if (search === '' || screen === undefined) return []
  return rows
    .filter(({ group }) => matches(group.name, search))
    .slice(0, AT_MOST)
    .map(({ group }) => ({
      id: `group${group.idx}`,
      label: group.name,
      detail: pathOf(group.idx).slice(0, -1).join(' › '),
      icon: <IconSitemap size={16} />,
      open: () => openScreen(screen, { groupIdx: group.idx }),
    }))
}

/** `typed` is the text in the field; `rested` follows it after a pause and is sent to the server. */
export function useJumpTargets(screens: readonly Screen[], typed: string, rested: string): JumpGroup[] {
  const t = useTexts(appTexts)
  const language = useLanguage()
  const openScreen = useOpenScreen()
  const has = (name: string) => screens.some((screen) => screen.name === name)
  const pages = screens
    .filter((screen) => matches(screen.title[language], typed))
    .map((screen) => ({
      id: screen.name,
      label: screen.title[language],
      icon: <screen.icon size={16} stroke={1.7} />,
      open: () => openScreen(screen.name),
    }))
  return [
    { title: t('jump.screens'), targets: pages },
    { title: t('jump.groups'), targets: useGroupTargets(rested, GROUP_SCREENS.find(has)) },
    { title: t('jump.users'), targets: useUserTargets(rested, has(USERS)) },
  ].filter((group) => group.targets.length > 0)
}
