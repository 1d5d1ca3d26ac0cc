// The login portal: its pages and the navigation between them (spec S1 §2, §4).
import type { OtpRegistration } from '@acc/contract/account'
import type { AppConfigs } from '@acc/contract/configs'
import type { ErrorName } from '@acc/contract/core/errors'
import type { Session } from '@acc/contract/session'
import { startTransition, useEffect, useState, useTransition } from 'react'
import { openDrafts } from '../../kit/browser/drafts.ts'
import { stored, writeStored } from '../../kit/browser/storage.ts'
import { confirm } from '../../kit/dialogs/dialogs.tsx'
import { fetchedComponent, whenFetched } from '../../kit/layout/fetchedComponent.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { landing } from './afterSignIn.ts'
import type { OtpRequest } from './otpRequest.ts'
import { downloadTexts, passwordRulesTexts, portalTexts, registerTexts, selfServiceTexts } from './portal.texts.ts'
import { requestSignOut } from './requestSignIn.ts'
import { type Credentials, type SignInChoices, SignInPage } from './SignInPage.tsx'
import type { RefusedPassword } from './useChangePasswordForm.ts'

/** By the names of the portal's menus (spec S1 §2). They are fetched with their texts, after the first paint. */
const PORTAL_PAGES = {
  otp: fetchedComponent(() => import('./SignInOtpPage.tsx').then((m) => [m.SignInOtpPage, selfServiceTexts])),
  changePw: fetchedComponent(() =>
    import('./ChangePasswordPage.tsx').then((m) => [m.ChangePasswordPage, passwordRulesTexts, selfServiceTexts]),
  ),
  registerOtp: fetchedComponent(() =>
    import('./RegisterOtpPage.tsx').then((m) => [m.RegisterOtpPage, selfServiceTexts]),
  ),
  forgotId: fetchedComponent(() => import('./ForgotIdPage.tsx').then((m) => [m.ForgotIdPage, selfServiceTexts])),
  forgotPw: fetchedComponent(() => import('./ForgotPwPage.tsx').then((m) => [m.ForgotPwPage, selfServiceTexts])),
  download: fetchedComponent(() => import('./DownloadPage.tsx').then((m) => [m.DownloadPage, downloadTexts])),
  register: fetchedComponent(() => import('./RegisterPage.tsx').then((m) => [m.RegisterPage, registerTexts])),
}
const {
  otp: SignInOtpPage,
  changePw: ChangePasswordPage,
  registerOtp: RegisterOtpPage,
  forgotId: ForgotIdPage,
  forgotPw: ForgotPwPage,
  download: DownloadPage,
  register: RegisterPage,
} = PORTAL_PAGES

type Page =
  | { name: 'accLogin'; id?: string; done?: 'change.done'; ssoError?: ErrorName | undefined }
  | { name: 'otp'; credentials: Credentials; asked: OtpRequest; isNew?: true }
  | { name: 'changePw'; id: string; refused?: RefusedPassword; from: Session | null }
  | { name: 'registerOtp'; credentials: Credentials; registration: OtpRegistration }
  | { name: 'forgotId' }
  | { name: 'forgotPw'; id: string }
  | { name: 'download'; session: Session }
  | { name: 'register'; session: Session }

type Props = {
  configs: AppConfigs
  session: Session | null
  /** Why a single sign-on ended without a session. */
  ssoError: ErrorName | undefined
  /** Where the console opens after the sign-in, as the address named it. */
  go: string | undefined
  /** Whether the session may enter the console but has no screen there. */
  hasNoScreens: boolean
  /** Enters the console. */
  onEnter: (session: Session) => void
  /** Reloads configuration and session. */
  onRestart: () => Promise<void>
  /** Shows the dialog of an unknown error, which reloads the page. */
  onUnknownError: () => void
  /** Watches for the session's expiry; returns a function that stops it. */
  watchSession: (minutes: number) => () => void
}

const fetchOf = ({ name }: Page) => (name === 'accLogin' ? () => Promise.resolve() : PORTAL_PAGES[name].fetch)

const sessionOf = (page: Page): Session | null =>
  page.name === 'changePw' ? page.from : 'session' in page ? page.session : null

export function Portal(props: Props) {
  const { configs, session, ssoError, hasNoScreens, onEnter, onRestart, onUnknownError, watchSession } = props
  const t = useTexts(portalTexts)
  const arrive = (arrived: Session): Page | null => {
    const to = landing(arrived, configs)
    if (to === 'main') return hasNoScreens ? { name: 'download', session: arrived } : null
    return { name: to, session: arrived }
  }
  const [page, showPage] = useState<Page>(() => (session ? arrive(session) : null) ?? { name: 'accLogin', ssoError })
  // A page is shown when it is fetched. Until then, and where it cannot be fetched, the current page remains.
  const [isTurning, startTurning] = useTransition()
  const setPage = (next: Page, otherwise?: Page) =>
    startTurning(async () => {
      const isThere = await whenFetched(fetchOf(next), () => startTransition(() => showPage(next)))
      if (!isThere && otherwise) startTransition(() => showPage(otherwise))
    })
  const isSignedIn = sessionOf(page) !== null
  useEffect(
    () => (isSignedIn ? watchSession(configs.sessionValidMinutes) : undefined),
    [isSignedIn, watchSession, configs],
  )
  const enter = (arrived: Session) => {
    openDrafts(arrived)
    const to = arrive(arrived)
    if (to) setPage(to)
    else onEnter(arrived)
  }
  const toSignIn = (id?: string) => setPage({ name: 'accLogin', ...(id !== undefined && { id }) })
  const signOut = async () => {
    const ended = await requestSignOut()
    if (!ended) return
    writeStored(stored.noSso, '1')
    toSignIn()
    if (ended.endSessionUrl !== undefined) location.assign(ended.endSessionUrl)
  }
  const changePassword = (from: Session) => setPage({ name: 'changePw', id: from.id, from })
  const afterChange = async (credentials: Credentials, from: Session | null, registration?: OtpRegistration) => {
    if (from) await requestSignOut()
    const signInAgain: Page = { name: 'accLogin', id: credentials.id, done: 'change.done' }
    // The password is changed: signing in leads to the registration as well.
    if (registration) setPage({ name: 'registerOtp', credentials, registration }, signInAgain)
    else setPage(signInAgain)
  }
  const askToRegister = async (credentials: Credentials, registration: OtpRegistration | undefined) => {
    if (!registration) return onUnknownError()
    const words = { title: t('unregistered.title'), body: t('unregistered.body'), action: t('unregistered.action') }
    if (await confirm(words)) setPage({ name: 'registerOtp', credentials, registration })
  }
  const signIn: SignInChoices = {
    configs,
    onSignedIn: enter,
    onChangePassword: changePassword,
    onStep: (step, credentials) => {
      const { id, pw } = credentials
      if (step.name === 'otp') setPage({ name: 'otp', credentials, asked: step.asked })
      else if (step.name === 'changePassword')
        setPage({ name: 'changePw', id, refused: { pw, maxDays: step.maxDays }, from: null })
      else void askToRegister(credentials, step.registration)
    },
  }
  switch (page.name) {
    case 'otp':
      return <SignInOtpPage {...signIn} {...page} onBack={() => toSignIn(page.credentials.id)} />
    case 'changePw':
      return (
        <ChangePasswordPage
          configs={configs}
          id={page.id}
          refused={page.refused}
          person={page.from}
          onDone={(pw, registration) => void afterChange({ id: page.id, pw }, page.from, registration)}
          onBack={() => (page.from ? enter(page.from) : toSignIn(page.id))}
        />
      )
    case 'registerOtp':
      return (
        <RegisterOtpPage
          configs={configs}
          {...page}
          onDone={() => setPage({ name: 'otp', credentials: page.credentials, asked: 'OTP_REQUIRED', isNew: true })}
          onBack={() => toSignIn(page.credentials.id)}
        />
      )
    case 'forgotId':
      return <ForgotIdPage configs={configs} onSignIn={toSignIn} />
    case 'forgotPw':
      return <ForgotPwPage configs={configs} id={page.id} onSignIn={toSignIn} />
    case 'download':
      return (
        <DownloadPage
          configs={configs}
          session={page.session}
          onChangePassword={() => changePassword(page.session)}
          onSignOut={() => void signOut()}
        />
      )
    case 'register':
      return <RegisterPage configs={configs} onDone={() => void onRestart()} onSignOut={() => void signOut()} />
    case 'accLogin':
      return (
        <SignInPage
          {...signIn}
          id={page.id}
          done={page.done && t(page.done)}
          ssoError={page.ssoError}
          isTurning={isTurning}
          go={props.go}
          onForgotId={() => setPage({ name: 'forgotId' })}
          onForgotPw={(id) => setPage({ name: 'forgotPw', id })}
        />
      )
  }
}
