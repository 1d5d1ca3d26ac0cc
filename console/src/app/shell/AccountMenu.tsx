// The signed-in user with their own actions (authority, sessions, approval mails, theme, language, signing out), the
// state of the connection, and the versions.
import { api } from '@acc/contract'
import {
  IconBell,
  IconDevices,
  IconLogout,
  IconMoon,
  IconPlugConnectedX,
  IconShieldCheck,
  IconSun,
} from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { version } from '../../../package.json'
import { requestSignOut } from '../../features/portal/requestSignOut.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { liveConnection } from '../../kit/browser/connection.ts'
import { stored, writeStored } from '../../kit/browser/storage.ts'
import { useStore } from '../../kit/browser/store.ts'
import { useTheme } from '../../kit/browser/useTheme.ts'
import { confirmLeave } from '../../kit/form/unsaved.ts'
import { chooseLanguage, fetchedComponent, whenFetched } from '../../kit/layout/fetchedComponent.ts'
import { IconButton } from '../../kit/layout/IconButton.tsx'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { appTexts } from './app.texts.ts'
import { MyAuthorityDialog } from './MyAuthorityDialog.tsx'
import css from './Sidebar.module.css'

const OwnSessionsDialog = fetchedComponent(() =>
  import('../../features/sessions/exports.ts').then((module) => [module.OwnSessionsDialog, module.sessionsTexts]),
)
const NoticesDialog = fetchedComponent(() =>
  import('../../features/notices/exports.ts').then((module) => [module.NoticesDialog, module.noticesTexts]),
)

/** The viewer's own dialogs, by their titles. */
const DIALOGS = [
  ['myAuthority', IconShieldCheck, undefined],
  ['mySessions', IconDevices, OwnSessionsDialog.fetch],
  ['myNotices', IconBell, NoticesDialog.fetch],
] as const
type OwnDialog = (typeof DIALOGS)[number][0]

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

/** Says that lists no longer follow the server. */
function ConnectionState({ isFolded }: { isFolded: boolean }) {
  const t = useTexts(appTexts)
  const isLost = useStore(liveConnection) === 'lost'
  return (
    <div className={css.connection} role="status">
      {isLost && (
        <>
          <IconPlugConnectedX size={15} stroke={1.7} title={isFolded ? t('connectionLost') : undefined} />
          {!isFolded && t('connectionLost')}
        </>
      )}
    </div>
  )
}

export function AccountMenu({ isFolded }: { isFolded: boolean }) {
  const t = useTexts(appTexts)
  const { session, configs, can } = useViewer()
  const theme = useTheme()
  const language = useLanguage()
  const changeLanguage = () => void chooseLanguage(language === 'ko' ? 'en' : 'ko')
  const [open, setOpen] = useState<OwnDialog | null>(null)
  const close = () => setOpen(null)
  const shown = DIALOGS.filter(([name]) => name !== 'myNotices' || can(api.notices.findChoice.access))
  const versions = t('versions', { server: configs.serverVersion, console: version })
  const side = isFolded ? 'right' : 'top'
  return (
    <div className={css.person}>
      <div className={css.who}>
        <strong className="cut" title={session.name}>
          {session.name}
        </strong>
        <span className="cut" title={session.email}>
          {session.email}
        </span>
      </div>
      <div className={css.buttons}>
        {shown.map(([name, Icon, fetch]) => (
          <IconButton
            key={name}
            label={t(name)}
            side={side}
            onClick={() => (fetch ? void whenFetched(fetch, () => setOpen(name)) : setOpen(name))}
          >
            <Icon size={17} stroke={1.7} />
          </IconButton>
        ))}
        <IconButton label={theme.isDark ? t('themeLight') : t('themeDark')} side={side} onClick={theme.toggle}>
          {theme.isDark ? <IconSun size={17} stroke={1.7} /> : <IconMoon size={17} stroke={1.7} />}
        </IconButton>
        <IconButton label={t('language')} side={side} className={css.language} onClick={changeLanguage}>
          {language === 'ko' ? 'EN' : '한'}
        </IconButton>
        <IconButton label={t('signOut')} side={side} onClick={() => void signOut()}>
          <IconLogout size={17} stroke={1.7} />
        </IconButton>
      </div>
      <ConnectionState isFolded={isFolded} />
      <small className={css.versions}>
        <span className="cut">
          © {configs.runtime.product.short}
          {configs.isEvaluation === 1 && <b> · {t('evaluation')}</b>}
        </span>
        <span className="cut">{versions}</span>
      </small>
      <Suspense>
        {open === 'mySessions' && <OwnSessionsDialog onClose={close} />}
        {open === 'myNotices' && <NoticesDialog onClose={close} />}
      </Suspense>
      {open === 'myAuthority' && <MyAuthorityDialog onClose={close} />}
    </div>
  )
}
