// Ctrl K or ⌘K: jumps to any screen or part of one, group, authority, user or request that the viewer may see, and runs
// commands (WAI-ARIA combobox with a list below).
import { MAX_LENGTH } from '@acc/contract/core/limits'
import { Kbd, Modal, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { z } from 'zod'
import { useViewer } from '../../kit/api/viewer.ts'
import { focusHeading } from '../../kit/browser/keepFocus.ts'
import { readStored, stored, writeStored } from '../../kit/browser/storage.ts'
import { useEscape } from '../../kit/dialogs/useEscape.ts'
import type { Screen } from '../../kit/layout/screen.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { appTexts } from './app.texts.ts'
import css from './JumpTo.module.css'
import { useJumpSections } from './jumpSections.ts'
import type { JumpTarget } from './jumpTargets.tsx'
import type { AccountAction } from './useAccountActions.tsx'

/** Targets that this browser remembers for a person. Names of people stay out of its storage. */
const AT_MOST = 8
const Ids = z.array(z.string().max(200)).max(AT_MOST)
const nameOf = (personIdx: number) => `${stored.recentJumps}.${personIdx}`

/** Returns the ids of targets, the last one first. */
function readRecent(personIdx: number): string[] {
  try {
    return Ids.parse(JSON.parse(readStored(nameOf(personIdx)) ?? '[]'))
  } catch {
    return []
  }
}

function addRecent(personIdx: number, id: string): void {
  const others = readRecent(personIdx).filter((other) => other !== id)
  writeStored(nameOf(personIdx), JSON.stringify([id, ...others].slice(0, AT_MOST)))
}

const BOX = { withCloseButton: false, closeOnEscape: false, size: 560, yOffset: '12vh', centered: false }

type TargetProps = { id: string; target: JumpTarget; isActive: boolean; onPoint: () => void; onGo: () => void }
type Props = {
  screens: readonly Screen[]
  actions: readonly AccountAction[]
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  /** Opens the list of shortcuts instead. */
  onShortcuts: () => void
}

export function JumpTo({ isOpen, onOpen, ...props }: Props) {
  useHotkeys([['mod+K', () => onOpen(!isOpen), { usePhysicalKeys: true }]], [])
  if (!isOpen) return null
  return <JumpDialog {...props} onClose={() => onOpen(false)} />
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
function useJump({ screens, actions, onClose }: Omit<DialogProps, 'onShortcuts'>) {
  const { idx: personIdx } = useViewer().session
  const [recent] = useState(() => readRecent(personIdx))
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<string>()
  const [rested] = useDebouncedValue(typed.trim(), 200)
  const sections = useJumpSections({ screens, actions }, recent, typed.trim(), rested)
  const all = sections.flatMap(({ targets }) => targets.flatMap((target) => ('isPending' in target ? [] : [target])))
  // By its id: results that arrive later do not move it.
  const active = all.find(({ id }) => id === chosen) ?? all[0]
  const go = (target: JumpTarget) => {
    onClose()
    if (target.isKept) addRecent(personIdx, target.id)
    target.open()
    if (target.heading !== undefined) focusHeading(target.heading)
  }
  const step = (by: 1 | -1) => {
    const at = active === undefined ? -1 : all.indexOf(active)
    setChosen(all[Math.min(all.length - 1, Math.max(0, at + by))]?.id)
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && active) go(active)
    else if (event.key === 'ArrowDown') step(1)
    else if (event.key === 'ArrowUp') step(-1)
    else return
    event.preventDefault()
  }
  const type = (next: string) => {
    setTyped(next)
    setChosen(undefined)
  }
  const isRested = rested !== '' && rested === typed.trim()
  return {
    typed,
    type,
    isRested,
    sections,
    count: all.length,
    active,
    go,
    press,
    point: ({ id }: JumpTarget) => setChosen(id),
  }
}

type DialogProps = Omit<Props, 'isOpen' | 'onOpen'> & { onClose: () => void }

/** The id of an element: letters, digits and hyphens. */
const idOf = (dialog: string, { id }: JumpTarget) => `${dialog}-${id.replace(/\W+/g, '-')}`

function JumpDialog({ onShortcuts, ...props }: DialogProps) {
  const t = useTexts(appTexts)
  const id = useId()
  const { onClose } = props
  useEscape(onClose)
  const { typed, type, isRested, sections, count, active, go, press, point } = useJump(props)
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
        aria-activedescendant={active && idOf(id, active)}
        aria-label={t('jump.placeholder')}
        placeholder={t('jump.placeholder')}
        maxLength={MAX_LENGTH.searchText}
        leftSection={<IconSearch size={16} />}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={press}
      />
      <div id={`${id}-list`} className={css.list} role="listbox" aria-label={t('jump.open')}>
        {sections.length === 0 && <p className={css.nothing}>{t('jump.nothing')}</p>}
        {sections.map(({ name, targets }) => (
          <fieldset key={name} aria-label={t(`jump.${name}`)}>
            <div className={css.heading} aria-hidden>
              {t(`jump.${name}`)}
            </div>
            {targets.map((target) =>
              'isPending' in target ? (
                <div key={target.id} className={css.pending} aria-hidden />
              ) : (
                <Target
                  key={target.id}
                  id={idOf(id, target)}
                  target={target}
                  isActive={target === active}
                  onPoint={() => point(target)}
                  onGo={() => go(target)}
                />
              ),
            )}
          </fieldset>
        ))}
      </div>
      <span className="unseen" role="status">
        {isRested && t('jump.count', { count })}
      </span>
      <UnstyledButton className={css.shortcuts} onClick={onShortcuts}>
        {t('shortcuts.title')}
        <Kbd size="xs" aria-hidden>
          ?
        </Kbd>
      </UnstyledButton>
    </Modal>
  )
}
