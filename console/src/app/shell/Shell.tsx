// The frame: the sidebar and the screen next to it, and the shortcuts of every screen.
import { IconKeyboard } from '@tabler/icons-react'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useShortcut } from '../../kit/browser/useShortcut.ts'
import { fetchedComponent, whenFetched } from '../../kit/layout/fetchedComponent.ts'
import type { Screen } from '../../kit/layout/screen.ts'
import { stepRow } from '../../kit/table/rowKeys.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { appTexts } from './app.texts.ts'
import { JumpTo } from './JumpTo.tsx'
import css from './Shell.module.css'
import { Sidebar } from './Sidebar.tsx'
import { useAccountActions } from './useAccountActions.tsx'

const ShortcutsDialog = fetchedComponent(() =>
  import('./ShortcutsDialog.tsx').then((module) => [module.ShortcutsDialog]),
)

const focusContent = () => document.getElementById('content')?.focus({ preventScroll: true })

type Props = { screens: readonly Screen[]; current: Screen | undefined; children: ReactNode }

export function Shell({ screens, current, children }: Props) {
  const t = useTexts(appTexts)
  const [open, setOpen] = useState<'jump' | 'shortcuts' | null>(null)
  const { actions, dialogs } = useAccountActions()
  const openShortcuts = () => void whenFetched(ShortcutsDialog.fetch, () => setOpen('shortcuts'))
  const shortcuts = {
    name: 'shortcuts',
    title: { ko: '키보드 단축키', en: 'Keyboard shortcuts' },
    words: '도움말 키 help keys',
    icon: <IconKeyboard size={17} stroke={1.7} />,
    run: openShortcuts,
  }
  // A link of another screen is gone; an item of the menu keeps the focus.
  useEffect(() => {
    if (current !== undefined && document.activeElement === document.body) focusContent()
  }, [current])
  useShortcut('J', () => stepRow('next'))
  useShortcut('K', () => stepRow('previous'))
  useShortcut('shift+?', openShortcuts)
  return (
    <div className={css.shell}>
      <button type="button" className={css.skip} onClick={focusContent}>
        {t('skip')}
      </button>
      <Sidebar screens={screens} current={current} actions={actions} onJump={() => setOpen('jump')} />
      <main id="content" className={css.content} tabIndex={-1}>
        {children}
      </main>
      <JumpTo
        screens={screens}
        actions={[...actions, shortcuts]}
        isOpen={open === 'jump'}
        onOpen={(isOpen) => setOpen(isOpen ? 'jump' : null)}
        onShortcuts={openShortcuts}
      />
      {dialogs}
      <Suspense>{open === 'shortcuts' && <ShortcutsDialog screens={screens} onClose={() => setOpen(null)} />}</Suspense>
    </div>
  )
}
