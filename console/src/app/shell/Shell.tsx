// The frame: sidebar and the screen beside it.
import { type ReactNode, useState } from 'react'
import type { Screen } from '../../kit/layout/screen.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { appTexts } from './app.texts.ts'
import { JumpTo } from './JumpTo.tsx'
import css from './Shell.module.css'
import { Sidebar } from './Sidebar.tsx'

type Props = { screens: readonly Screen[]; current: Screen | undefined; children: ReactNode }

export function Shell({ screens, current, children }: Props) {
  const t = useTexts(appTexts)
  const [isJumping, setJumping] = useState(false)
  return (
    <div className={css.shell}>
      <button type="button" className={css.skip} onClick={() => document.getElementById('content')?.focus()}>
        {t('skip')}
      </button>
      <Sidebar screens={screens} current={current} onJump={() => setJumping(true)} />
      <main id="content" className={css.content} tabIndex={-1}>
        {children}
      </main>
      <JumpTo screens={screens} isOpen={isJumping} onOpen={setJumping} />
    </div>
  )
}
