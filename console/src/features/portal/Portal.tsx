// The login portal: its pages and the navigation between them (spec S1 §2).
import type { AppConfigs } from '@acc/contract/configs'
import type { ErrorName } from '@acc/contract/core/errors'
import type { Session } from '@acc/contract/session'
import { lazy, useEffect, useState } from 'react'
import { stored, writeStored } from '../../kit/browser/storage.ts'
import { landing } from './afterSignIn.ts'
import { requestSignOut } from './requestSignOut.ts'
import { SignInPage } from './SignInPage.tsx'

// Lazy, since the first paint needs only the sign-in page.
const ChangePasswordPage = lazy(() =>
  import('./ChangePasswordPage.tsx').then((m) => ({ default: m.ChangePasswordPage })),
)
const DownloadPage = lazy(() => import('./DownloadPage.tsx').then((m) => ({ default: m.DownloadPage })))
const RegisterPage = lazy(() => import('./RegisterPage.tsx').then((m) => ({ default: m.RegisterPage })))

type Page =
  | { name: 'accLogin'; id?: string; hasChanged?: boolean; ssoError?: ErrorName | undefined }
  | { name: 'changePw'; id: string; temporary?: string; from: Session | null }
  | { name: 'download'; session: Session }
  | { name: 'register'; session: Session }

type Props = {
  configs: AppConfigs
  session: Session | null
  /** Why a single sign-on ended without a session. */
  ssoError: ErrorName | undefined
  /** Whether the session may enter the console but has no screen there. */
  hasNoScreens: boolean
  /** Enters the console. */
  onEnter: (session: Session) => void
  /** Reloads configuration and session. */
  onRestart: () => Promise<void>
  /** Watches for the session's expiry; returns a function that stops it. */
  watchSession: (minutes: number) => () => void
}

export function Portal({ configs, session, ssoError, hasNoScreens, onEnter, onRestart, watchSession }: Props) {
  const arrive = (arrived: Session): Page | null => {
    const to = landing(arrived, configs)
    if (to === 'main') return hasNoScreens ? { name: 'download', session: arrived } : null
    return { name: to, session: arrived }
  }
  const [page, setPage] = useState<Page>(() => (session ? arrive(session) : null) ?? { name: 'accLogin', ssoError })
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
    if (!(await requestSignOut())) return
    writeStored(stored.noSso, '1')
    setPage({ name: 'accLogin' })
  }
  const afterChange = async (id: string, from: Session | null) => {
    if (from) await requestSignOut()
    setPage({ name: 'accLogin', id, hasChanged: true })
  }
  switch (page.name) {
    case 'changePw':
      return (
        <ChangePasswordPage
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
        <DownloadPage
          configs={configs}
          session={page.session}
          onChangePassword={() => setPage({ name: 'changePw', id: page.session.id, from: page.session })}
          onSignOut={() => void signOut()}
        />
      )
    case 'register':
      return <RegisterPage configs={configs} onDone={() => void onRestart()} onSignOut={() => void signOut()} />
    case 'accLogin':
      return (
        <SignInPage
          configs={configs}
          id={page.id}
          hasChanged={page.hasChanged ?? false}
          ssoError={page.ssoError}
          onSignedIn={enter}
          onChangePassword={(id, temporary, from) =>
            setPage({ name: 'changePw', id, from, ...(temporary === undefined ? {} : { temporary }) })
          }
        />
      )
  }
}
