// The page of ordinary users: their account, its expiry, the client, the manuals, and account actions (spec S1 §2).
import type { AppConfigs } from '@acc/contract/configs'
import { hasFlag } from '@acc/contract/labels/flags'
import { formatDay } from '@acc/contract/labels/formats'
import { LoginType } from '@acc/contract/labels/users'
import type { Session } from '@acc/contract/session'
import { Button } from '@mantine/core'
import { lazy, Suspense, useState, useTransition } from 'react'
import { useTexts } from '../../kit/texts/texts.ts'
import { ClientDownload } from './ClientDownload.tsx'
import { downloadTexts } from './download.texts.ts'
import { Manuals } from './Manuals.tsx'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { portalTexts } from './portal.texts.ts'

const fetchSessionsDialog = () =>
  import('../sessions/exports.ts').then((module) => ({ default: module.OwnSessionsDialog }))
const OwnSessionsDialog = lazy(fetchSessionsDialog)
const prefetch = () => void fetchSessionsDialog().catch(() => undefined)

type Props = { configs: AppConfigs; session: Session; onChangePassword: () => void; onSignOut: () => void }

export function DownloadPage({ configs, session, onChangePassword, onSignOut }: Props) {
  const t = useTexts(downloadTexts)
  const p = useTexts(portalTexts)
  const [showsSessions, setShowsSessions] = useState(false)
  const [isOpening, startOpening] = useTransition()
  const facts = [
    [p('id'), session.id],
    [t('email'), session.email],
    [t('expiry'), session.expireDT === null ? t('never') : formatDay(session.expireDT)],
  ] as const
  return (
    <PortalCard configs={configs} title={t('greeting', { name: session.name })} hint={t('hint')} isWide>
      <dl className={css.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={css.actions}>
        {hasFlag(session.loginType, LoginType.DEFAULT) && (
          <Button variant="default" onClick={onChangePassword}>
            {t('changePassword')}
          </Button>
        )}
        <Button
          variant="default"
          aria-busy={isOpening || undefined}
          onMouseEnter={prefetch}
          onFocus={prefetch}
          onClick={() => startOpening(() => setShowsSessions(true))}
        >
          {t('sessions')}
        </Button>
        <Button variant="default" onClick={onSignOut}>
          {p('signOut')}
        </Button>
      </div>
      <ClientDownload name={configs.runtime.product.clientName} />
      <Manuals runtime={configs.runtime} />
      <Suspense>{showsSessions && <OwnSessionsDialog onClose={() => setShowsSessions(false)} />}</Suspense>
    </PortalCard>
  )
}
