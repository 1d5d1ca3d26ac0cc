// The page of ordinary users: their account, its expiry, and account actions (spec S1 §2).
import type { AppConfigs } from '@acc/contract/configs'
import { formatDay } from '@acc/contract/labels/formats'
import type { Session } from '@acc/contract/session'
import { Button } from '@mantine/core'
import { lazy, Suspense, useState, useTransition } from 'react'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { portalTexts } from './portal.texts.ts'

const fetchSessionsDialog = () =>
  import('../sessions/exports.ts').then((module) => ({ default: module.OwnSessionsDialog }))
const OwnSessionsDialog = lazy(fetchSessionsDialog)
const prefetch = () => void fetchSessionsDialog().catch(() => undefined)

type Props = { configs: AppConfigs; session: Session; onChangePassword: () => void; onSignOut: () => void }

export function DownloadPage({ configs, session, onChangePassword, onSignOut }: Props) {
  const t = useTexts(portalTexts)
  const [showsSessions, setShowsSessions] = useState(false)
  const [isOpening, startOpening] = useTransition()
  const facts = [
    [t('id'), session.id],
    [t('download.email'), session.email],
    [t('download.expiry'), session.expireDT === null ? t('download.never') : formatDay(session.expireDT)],
  ] as const
  return (
    <PortalCard configs={configs} title={t('download.greeting', { name: session.name })} hint={t('download.hint')}>
      <dl className={css.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={css.form}>
        <Button variant="default" size="md" fullWidth onClick={onChangePassword}>
          {t('download.changePassword')}
        </Button>
        <Button
          variant="default"
          size="md"
          fullWidth
          loading={isOpening}
          onMouseEnter={prefetch}
          onFocus={prefetch}
          onClick={() => startOpening(() => setShowsSessions(true))}
        >
          {t('download.sessions')}
        </Button>
        <Button variant="subtle" color="gray" size="md" fullWidth onClick={onSignOut}>
          {t('download.signOut')}
        </Button>
      </div>
      <Suspense>{showsSessions && <OwnSessionsDialog onClose={() => setShowsSessions(false)} />}</Suspense>
    </PortalCard>
  )
}
