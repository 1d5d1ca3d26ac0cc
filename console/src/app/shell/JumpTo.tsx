// Ctrl K or ⌘K: jumps to any screen, group or user that the viewer may see (WAI-ARIA combobox with a list below).

import { api } from '@acc/contract'
import { MAX_LENGTH } from '@acc/contract/core/limits'
import { Kbd, Modal, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { IconSearch, IconSitemap, IconUser } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { useGroupIndex } from '../../features/groups/exports.ts'
import { useApiQuery } from '../../kit/api/query.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { useEscape } from '../../kit/dialogs/useEscape.ts'
import type { Screen } from '../../kit/layout/screen.ts'
import { useOpenScreen } from '../../kit/layout/view.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { appTexts } from './app.texts.ts'
import css from './JumpTo.module.css'

/** What the jump dialog finds: screens by their title, groups by name, users through the search of the server. */
type JumpTarget = { id: string; label: string; detail?: string; icon: ReactNode; open: () => void }
type JumpGroup = { title: string; targets: JumpTarget[] }

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
function useJumpTargets(screens: readonly Screen[], typed: string, rested: string): JumpGroup[] {
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

const BOX = { withCloseButton: false, closeOnEscape: false, size: 560, yOffset: '12vh', centered: false }

type TargetProps = { id: string; target: JumpTarget; isActive: boolean; onPoint: () => void; onGo: () => void }
type Props = {
  screens: readonly Screen[]
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  /** Opens the list of shortcuts instead. */
  onShortcuts: () => void
}

export function JumpTo({ screens, isOpen, onOpen, onShortcuts }: Props) {
  useHotkeys([['mod+K', () => onOpen(!isOpen), { usePhysicalKeys: true }]], [])
  if (!isOpen) return null
  return <JumpDialog screens={screens} onClose={() => onOpen(false)} onShortcuts={onShortcuts} />
}

function Target({ id, target, isActive, onPoint, onGo }: TargetProps) {
  const show = (element: HTMLElement | null) => {
    if (isActive) element?.scrollIntoView({ block: 'nearest' })
  }
  return (
    // The field keeps the focus and handles keys (aria-activedescendant); targets handle only the pointer.
    <div
      id={id}
      ref={show}
      className={css.target}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      onMouseMove={onPoint}
      onClick={onGo}
      onKeyDown={() => undefined}
    >
      {target.icon}
      <span className={css.name}>{target.label}</span>
      {target.detail !== undefined && <span className={css.detail}>{target.detail}</span>}
    </div>
  )
}

/** The typed text, the targets that it finds, and the active one. */
function useJump(screens: readonly Screen[], onClose: () => void) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [rested] = useDebouncedValue(typed.trim(), 200)
  const groups = useJumpTargets(screens, typed.trim(), rested)
  const all = groups.flatMap((group) => group.targets)
  const place = Math.min(at, all.length - 1)
  const active = all[place]
  const go = (target: JumpTarget) => {
    onClose()
    target.open()
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && active) go(active)
    else if (event.key === 'ArrowDown') setAt(Math.min(all.length - 1, place + 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(0, place - 1))
    else return
    event.preventDefault()
  }
  const type = (next: string) => {
    setTyped(next)
    setAt(0)
  }
  return { typed, type, groups, active, go, press, point: (target: JumpTarget) => setAt(all.indexOf(target)) }
}

type DialogProps = Pick<Props, 'screens' | 'onShortcuts'> & { onClose: () => void }

function JumpDialog({ screens, onClose, onShortcuts }: DialogProps) {
  const t = useTexts(appTexts)
  const id = useId()
  useEscape(onClose)
  const { typed, type, groups, active, go, press, point } = useJump(screens, onClose)
  return (
    <Modal
      {...BOX}
      opened
      onClose={onClose}
      classNames={{ body: css.box }}
      attributes={{ content: { 'aria-label': t('jump.open') } }}
    >
      <TextInput
        className={css.input}
        variant="unstyled"
        size="md"
        data-autofocus
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={active ? `${id}-${active.id}` : undefined}
        aria-label={t('jump.placeholder')}
        placeholder={t('jump.placeholder')}
        maxLength={MAX_LENGTH.searchText}
        leftSection={<IconSearch size={16} />}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={press}
      />
      <div id={`${id}-list`} className={css.list} role="listbox" aria-label={t('jump.open')}>
        {groups.length === 0 && <p className={css.nothing}>{t('jump.nothing')}</p>}
        {groups.map((group) => (
          <fieldset key={group.title} aria-label={group.title}>
            <div className={css.heading} aria-hidden>
              {group.title}
            </div>
            {group.targets.map((target) => (
              <Target
                key={target.id}
                id={`${id}-${target.id}`}
                target={target}
                isActive={target === active}
                onPoint={() => point(target)}
                onGo={() => go(target)}
              />
            ))}
          </fieldset>
        ))}
      </div>
      <UnstyledButton className={css.shortcuts} onClick={onShortcuts}>
        {t('shortcuts.title')}
        <Kbd size="xs" aria-hidden>
          ?
        </Kbd>
      </UnstyledButton>
    </Modal>
  )
}
