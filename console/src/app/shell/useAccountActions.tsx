// The signed-in user's own actions: buttons of the sidebar, and commands of Ctrl K.
import { api } from '@acc/contract'
import {
  IconBell,
  IconDevices,
  IconLogout,
  IconMoon,
  IconShieldCheck,
  IconSun,
  IconUserShare,
} from '@tabler/icons-react'
import { type ReactNode, Suspense, useState } from 'react'
import { requestSignOut } from '../../features/portal/requestSignIn.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { stored, writeStored } from '../../kit/browser/storage.ts'
import { useTheme } from '../../kit/browser/useTheme.ts'
import { confirmLeave } from '../../kit/form/unsaved.ts'
import { chooseLanguage, fetchedComponent, whenFetched } from '../../kit/layout/fetchedComponent.ts'
import { type Bilingual, useLanguage } from '../../kit/texts/texts.ts'
import { MyAuthorityDialog } from './MyAuthorityDialog.tsx'

const OwnSessionsDialog = fetchedComponent(() =>
  import('../../features/sessions/exports.ts').then((module) => [module.OwnSessionsDialog, module.sessionsTexts]),
)
const NoticesDialog = fetchedComponent(() =>
  import('../../features/notices/exports.ts').then((module) => [module.NoticesDialog, module.noticesTexts]),
)
const AbsenceDialog = fetchedComponent(() =>
  import('../../features/absences/exports.ts').then((module) => [module.AbsenceDialog, module.absencesTexts]),
)

export type AccountAction = {
  name: string
  title: Bilingual
  /** Other words that people search for. */
  words: string
  icon: ReactNode
  run: () => void
}

async function signOut(): Promise<void> {
  if (!(await confirmLeave())) return
  const ended = await requestSignOut()
  if (!ended) return
  writeStored(stored.noSso, '1')
  // The next user must not find this one's history or loaded data.
  history.replaceState(null, '', location.pathname)
  if (ended.endSessionUrl === undefined) location.reload()
  else location.assign(ended.endSessionUrl)
}

const iconOf = (Icon: typeof IconBell) => <Icon size={17} stroke={1.7} />

function useThemeAction(): AccountAction {
  const { isDark, toggle } = useTheme()
  return {
    name: 'theme',
    title: isDark
      ? { ko: '밝은 테마로 바꾸기', en: 'Switch to the light theme' }
      : { ko: '어두운 테마로 바꾸기', en: 'Switch to the dark theme' },
    words: '다크 모드 라이트 모드 어두운 테마 밝은 테마 화면 색 dark theme mode light theme mode',
    icon: iconOf(isDark ? IconSun : IconMoon),
    run: toggle,
  }
}

function useLanguageAction(): AccountAction {
  const isKorean = useLanguage() === 'ko'
  const title = isKorean ? 'English로 보기' : '한국어로 보기'
  return {
    name: 'language',
    title: { ko: title, en: title },
    words: '언어 영어 한글 language english korean',
    icon: isKorean ? 'EN' : '한',
    run: () => void chooseLanguage(isKorean ? 'en' : 'ko'),
  }
}

/** Returns the actions in their order, and the dialogs that they open. */
export function useAccountActions(): { actions: readonly AccountAction[]; dialogs: ReactNode } {
  const { can } = useViewer()
  const [open, setOpen] = useState<'authority' | 'sessions' | 'notices' | 'absence' | null>(null)
  const close = () => setOpen(null)
  const authority: AccountAction = {
    name: 'authority',
    title: { ko: '내 권한', en: 'My Authority' },
    words: '관리 그룹 권한 확인 permissions rights',
    icon: iconOf(IconShieldCheck),
    run: () => setOpen('authority'),
  }
  const sessions: AccountAction = {
    name: 'sessions',
    title: { ko: '내 로그인 세션', en: 'My sessions' },
    words: '접속 기기 devices signed in',
    icon: iconOf(IconDevices),
    run: () => void whenFetched(OwnSessionsDialog.fetch, () => setOpen('sessions')),
  }
  const notices: AccountAction = {
    name: 'notices',
    title: { ko: '승인 알림', en: 'Approval notifications' },
    words: '메일 알림 설정 email notices',
    icon: iconOf(IconBell),
    run: () => void whenFetched(NoticesDialog.fetch, () => setOpen('notices')),
  }
  const absence: AccountAction = {
    name: 'absence',
    title: { ko: '부재', en: 'Absence' },
    words: '대리인 휴가 대리 결재 substitute vacation leave out of office delegate',
    icon: iconOf(IconUserShare),
    run: () => void whenFetched(AbsenceDialog.fetch, () => setOpen('absence')),
  }
  const end: AccountAction = {
    name: 'signOut',
    title: { ko: '로그아웃', en: 'Sign out' },
    words: '종료 나가기 log out logout exit',
    icon: iconOf(IconLogout),
    run: () => void signOut(),
  }
  const own = can(api.notices.findChoice.access) ? [authority, sessions, notices, absence] : [authority, sessions]
  return {
    actions: [...own, useThemeAction(), useLanguageAction(), end],
    dialogs: (
      <>
        <Suspense>
          {open === 'sessions' && <OwnSessionsDialog onClose={close} />}
          {open === 'notices' && <NoticesDialog onClose={close} />}
          {open === 'absence' && <AbsenceDialog onClose={close} />}
        </Suspense>
        {open === 'authority' && <MyAuthorityDialog onClose={close} />}
      </>
    ),
  }
}
