// The page of ordinary users: their account, its expiry, the client, the manuals, and account actions (spec S1 §2).
import type { AppConfigs } from '@acc/contract/configs'
import { hasFlag } from '@acc/contract/labels/flags'
import { formatDay } from '@acc/contract/labels/formats'
import { LoginType } from '@acc/contract/labels/users'
import type { Session } from '@acc/contract/session'
import { Button } from '@mantine/core'
import { Suspense, startTransition, useState, useTransition } from 'react'
import { retryFailed } from '../../kit/browser/fetchedPart.ts'
import { fetchedComponent, whenFetched } from '../../kit/layout/fetchedComponent.ts'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { ClientDownload } from './ClientDownload.tsx'
import { downloadTexts } from './download.texts.ts'
import { Manuals } from './Manuals.tsx'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { portalTexts } from './portal.texts.ts'

const OwnSessionsDialog = fetchedComponent(() =>
  import('../sessions/exports.ts').then((module) => [module.OwnSessionsDialog, module.sessionsTexts, kitTexts]),
)
const prefetch = () => void OwnSessionsDialog.fetch().catch(retryFailed)

type Props = { configs: AppConfigs; session: Session; onChangePassword: () => void; onSignOut: () => void }

export function DownloadPage({ configs, session, onChangePassword, onSignOut }: Props) {
  const t = useTexts(downloadTexts)
  const p = useTexts(portalTexts)
  const [showsSessions, setShowsSessions] = useState(false)
  const [isOpening, startOpening] = useTransition()
  const openSessions = () =>
    startOpening(async () => {
      await whenFetched(OwnSessionsDialog.fetch, () => startTransition(() => setShowsSessions(true)))
    })
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
          onClick={openSessions}
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
