// The sidebar (spec S1 §2): logo, screens that the viewer may open, account, versions. Only icons below 1200 px.
import { Kbd, Tooltip, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconPlugConnectedX, IconSearch } from '@tabler/icons-react'
import { version } from '../../../package.json'
import { useViewer } from '../../kit/api/viewer.ts'
import { liveConnection } from '../../kit/browser/connection.ts'
import { useStore } from '../../kit/browser/store.ts'
import { MODIFIER } from '../../kit/browser/useShortcut.ts'
import { IconButton } from '../../kit/layout/IconButton.tsx'
import { Logo } from '../../kit/layout/Logo.tsx'
import { isOpen, type Screen } from '../../kit/layout/screen.ts'
import { useOpenScreen } from '../../kit/layout/view.ts'
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

/** The signed-in user with their own actions, the state of the connection, and the versions. */
function AccountMenu({ isFolded, actions }: { isFolded: boolean; actions: readonly AccountAction[] }) {
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

const useNoBadge = () => undefined

type ItemProps = { screen: Screen; isCurrent: boolean; isFolded: boolean }

function MenuItem({ screen, isCurrent, isFolded }: ItemProps) {
  const t = useTexts(appTexts)
  const language = useLanguage()
  const openScreen = useOpenScreen()
  const isUnavailable = !isOpen(screen, useViewer())
  const useBadge = isUnavailable ? useNoBadge : (screen.useBadge ?? useNoBadge)
  const shown = useBadge()
  const badge = shown !== undefined && shown.count > 0 ? shown : undefined
  const title = screen.title[language]
  const Icon = screen.icon
  const prefetch = isUnavailable ? undefined : screen.prefetch
  const labelOf = () => {
    if (isUnavailable) return t('unavailable', { title })
    return badge ? `${title}, ${t(`badge.${badge.kind}`, { count: badge.count })}` : title
  }
  return (
    <Tooltip
      label={isUnavailable ? t('unavailable', { title }) : title}
      position="right"
      disabled={!isFolded && !isUnavailable}
    >
      <UnstyledButton
        className={css.item}
        aria-disabled={isUnavailable || undefined}
        aria-current={isCurrent ? 'page' : undefined}
        aria-label={labelOf()}
        onClick={() => !isUnavailable && openScreen(screen.name)}
        onMouseEnter={prefetch}
        onFocus={prefetch}
      >
        <Icon size={16} stroke={1.7} />
        <span className={css.title}>{title}</span>
        {badge && (
          <span className={css.badge} data-kind={badge.kind}>
            {badge.count > 999 ? '999+' : badge.count}
          </span>
        )}
      </UnstyledButton>
    </Tooltip>
  )
}

type Props = {
  screens: readonly Screen[]
  current: Screen | undefined
  actions: readonly AccountAction[]
  onJump: () => void
}

export function Sidebar({ screens, current, actions, onJump }: Props) {
  const t = useTexts(appTexts)
  const isFolded = useMediaQuery('(max-width: 1199px)') ?? false
  const { configs } = useViewer()
  const items = (section: Screen['section']) =>
    screens
      .filter((screen) => screen.section === section)
      .map((screen) => (
        <li key={screen.name}>
          <MenuItem screen={screen} isCurrent={screen === current} isFolded={isFolded} />
        </li>
      ))
  const system = items('system')
  return (
    <aside className={css.side} aria-label={t('side')} data-folded={isFolded || undefined}>
      <div className={css.logo}>
        <Logo image={configs.managePageLogoData} name={configs.runtime.product.serverName} isFolded={isFolded} />
      </div>
      <UnstyledButton className={css.jump} onClick={onJump} aria-label={t('jump.open')} aria-keyshortcuts="Control+K">
        <IconSearch size={14} />
        <span className={css.title}>{t('jump.open')}</span>
        <Kbd size="xs" className={css.kbd} aria-hidden>
          {MODIFIER === '⌘' ? '⌘K' : `${MODIFIER} K`}
        </Kbd>
      </UnstyledButton>
      <nav className={css.nav} aria-label={t('menu')}>
        <ul>{items('main')}</ul>
        {system.length > 0 && (
          <>
            <h2>{t('system')}</h2>
            <ul>{system}</ul>
          </>
        )}
      </nav>
      <AccountMenu isFolded={isFolded} actions={actions} />
    </aside>
  )
}
