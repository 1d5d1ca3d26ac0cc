// A user's open sign-ins, each of which can be ended.
import { api } from '@acc/contract'
import type { OpenSession } from '@acc/contract/session'
import type { UserDetail } from '@acc/contract/users'
import { Button } from '@mantine/core'
import { IconDeviceDesktop, IconWorld } from '@tabler/icons-react'
import { useApiAction } from '../../kit/api/query.ts'
import { confirm } from '../../kit/dialogs/dialogs.tsx'
import { guarded } from '../../kit/form/unsaved.ts'
import { Section } from '../../kit/layout/Page.tsx'
import { formatMoment } from '../../kit/texts/format.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { browserName } from '../pickers/userAgent.ts'
import css from './Users.module.css'
import { usersTexts } from './users.texts.ts'

function SessionRow({ session, user }: { session: OpenSession; user: UserDetail }) {
  const t = useTexts(usersTexts)
  const action = useApiAction(api.users.endSession, { refreshes: [api.users], done: t('endDone') })
  const { idx, kind, ip, userAgent, deviceName, loginDT, lastSeenDT, isCurrent } = session
  const Icon = kind === 'web' ? IconWorld : IconDeviceDesktop
  const where = `${t(kind)} ${ip}`
  const end = async () => {
    const body = t('endBody', { name: user.name, where })
    const isAsked = await confirm({ title: t('endTitle'), body, action: t('endSession'), isDanger: true })
    if (isAsked) await action.run({ idx: user.idx, sessionIdx: idx })
  }
  return (
    <li>
      <Icon size={16} stroke={1.6} aria-hidden />
      <div className={css.session}>
        <span>
          {t(kind)} · {ip}
          {deviceName !== null && ` · ${deviceName}`}
        </span>
        {deviceName === null && (
          <small className={css.agent} title={userAgent}>
            {browserName(userAgent) ?? userAgent}
          </small>
        )}
        <small>{t('signedIn', { time: formatMoment(loginDT) })}</small>
        <small>{t('lastSeen', { time: formatMoment(lastSeenDT) })}</small>
      </div>
      {isCurrent === 1 ? (
        <span className={css.quiet}>{t('currentSession')}</span>
      ) : (
        user.isEditable === 1 && (
          <Button size="compact-xs" variant="default" loading={action.isRunning} onClick={guarded(() => void end())}>
            {t('endSession')}
          </Button>
        )
      )}
    </li>
  )
}

export function UserSessions({ user }: { user: UserDetail }) {
  const t = useTexts(usersTexts)
  const { sessions } = user
  return (
    <Section title={t('sessions', { count: sessions.length })}>
      {sessions.length === 0 ? (
        <p className={css.quiet}>{t('noSessions')}</p>
      ) : (
        <ul className={css.sessions}>
          {sessions.map((session) => (
            <SessionRow key={session.idx} session={session} user={user} />
          ))}
        </ul>
      )}
    </Section>
  )
}
