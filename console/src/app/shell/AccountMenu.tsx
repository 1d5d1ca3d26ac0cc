// The signed-in user with their own actions (authority, sessions, approval mails, theme, language, signing out), the
// state of the connection, and the versions.
import { IconPlugConnectedX } from '@tabler/icons-react'
import { version } from '../../../package.json'
import { useViewer } from '../../kit/api/viewer.ts'
import { liveConnection } from '../../kit/browser/connection.ts'
import { useStore } from '../../kit/browser/store.ts'
import { IconButton } from '../../kit/layout/IconButton.tsx'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { appTexts } from './app.texts.ts'
import css from './Sidebar.module.css'
import type { AccountAction } from './useAccountActions.tsx'

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

export function AccountMenu({ isFolded, actions }: { isFolded: boolean; actions: readonly AccountAction[] }) {
  const t = useTexts(appTexts)
  const language = useLanguage()
  const { session, configs } = useViewer()
  const versions = t('versions', { server: configs.serverVersion, console: version })
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
        {actions.map(({ name, title, icon, run }) => (
          <IconButton
            key={name}
            label={title[language]}
            side={isFolded ? 'right' : 'top'}
            className={css.action}
            onClick={run}
          >
            {icon}
          </IconButton>
        ))}
      </div>
      <ConnectionState isFolded={isFolded} />
      <small className={css.versions}>
        <span className="cut">
          © {configs.runtime.product.short}
          {configs.isEvaluation === 1 && <b> · {t('evaluation')}</b>}
        </span>
        <span className="cut">{versions}</span>
      </small>
    </div>
  )
}
