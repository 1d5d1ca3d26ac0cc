// The login portal (S1 section 2): which of its pages is shown, and where each leads.
import type { AppConfigs } from '@acc/contract/configs'
import type { Session } from '@acc/contract/session'
import { lazy, useEffect, useState } from 'react'
import { stored, writeStored } from '../../kit/browser/storage.ts'
import { landing } from './portal.flow.ts'
import { SignIn } from './SignIn.tsx'
import { endSession } from './signOut.ts'

// Only signing in belongs to the first paint.
const ChangePassword = lazy(() => import('./ChangePassword.tsx').then((m) => ({ default: m.ChangePassword })))
const Download = lazy(() => import('./Download.tsx').then((m) => ({ default: m.Download })))
const Register = lazy(() => import('./Register.tsx').then((m) => ({ default: m.Register })))

type Page =
  | { name: 'accLogin'; id?: string; hasChanged?: boolean }
  | { name: 'changePw'; id: string; temporary?: string; from: Session | null }
  | { name: 'download'; session: Session }
  | { name: 'register'; session: Session }

type Props = {
  configs: AppConfigs
  session: Session | null
  /** Into the console. */
  onEnter: (session: Session) => void
  /** Reads configuration and session again. */
  onRestart: () => Promise<void>
  /** Tells when the session has run out; answers how to stop that. */
  watchSession: (minutes: number) => () => void
}

export function Portal({ configs, session, onEnter, onRestart, watchSession }: Props) {
  const arrive = (arrived: Session): Page | null => {
    const to = landing(arrived, configs)
    return to === 'main' ? null : { name: to, session: arrived }
  }
  const [page, setPage] = useState<Page>(() => (session ? arrive(session) : null) ?? { name: 'accLogin' })
  const isSignedIn = page.name === 'changePw' ? page.from !== null : page.name !== 'accLogin'
  useEffect(
    () => (isSignedIn ? watchSession(configs.sessionValidMinutes) : undefined),
    [isSignedIn, watchSession, configs],
  )
  const enter = (arrived: Session) => {
    const to = arrive(arrived)
    if (to) setPage(to)
    else onEnter(arrived)
  }
  const signOut = async () => {
    if (!(await endSession())) return
    writeStored(stored.noSso, '1')
    setPage({ name: 'accLogin' })
  }
  const afterChange = async (id: string, from: Session | null) => {
    if (from) await endSession()
    setPage({ name: 'accLogin', id, hasChanged: true })
  }
  switch (page.name) {
    case 'changePw':
      return (
        <ChangePassword
          configs={configs}
          id={page.id}
          temporary={page.temporary}
          isSignedIn={page.from !== null}
          onDone={() => void afterChange(page.id, page.from)}
          onBack={() => (page.from ? enter(page.from) : setPage({ name: 'accLogin', id: page.id }))}
        />
      )
    case 'download':
      return (
        <Download
          configs={configs}
          session={page.session}
          onChangePassword={() => setPage({ name: 'changePw', id: page.session.id, from: page.session })}
          onSignOut={() => void signOut()}
        />
      )
    case 'register':
      return <Register configs={configs} onDone={() => void onRestart()} onSignOut={() => void signOut()} />
    case 'accLogin':
      return (
        <SignIn
          configs={configs}
          id={page.id}
          hasChanged={page.hasChanged ?? false}
          onSignedIn={enter}
          onChangePassword={(id, temporary, from) =>
            setPage({ name: 'changePw', id, from, ...(temporary === undefined ? {} : { temporary }) })
          }
        />
      )
  }
}
