// The page of ordinary users: their account, its expiry, the client, the manuals, and account actions (spec S1 §2).
import type { ClientFile } from '@acc/contract/clientVersions'
import type { AppConfigs, RuntimeConfig } from '@acc/contract/configs'
import { hasFlag } from '@acc/contract/labels/flags'
import { formatBytes, formatDay } from '@acc/contract/labels/formats'
import { LoginType } from '@acc/contract/labels/users'
import type { Session } from '@acc/contract/session'
import { Button, Group, Loader, Text, UnstyledButton } from '@mantine/core'
import { IconDownload, IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, startTransition, useState, useTransition } from 'react'
import { call, callFile } from '../../kit/api/call.ts'
import { markHandled } from '../../kit/api/errors.ts'
import { errorText } from '../../kit/api/errorText.ts'
import { queryClient } from '../../kit/api/query.ts'
import { saveFile } from '../../kit/api/receivedFile.ts'
import { useBrowserDownload } from '../../kit/api/useBrowserDownload.ts'
import { retryFailed } from '../../kit/browser/fetchedPart.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { fetchedComponent, whenFetched } from '../../kit/layout/fetchedComponent.ts'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { downloadDeployed, findDeployed, otpManualAddress, userManual } from './portal.calls.ts'
import { downloadTexts, portalTexts } from './portal.texts.ts'

function Client({ client: { version, fileName, fileSize } }: { client: ClientFile }) {
  const t = useTexts(downloadTexts)
  const { isStarting, start } = useBrowserDownload(downloadDeployed, t('downloadFailed'))
  return (
    <>
      <p>{t('client', { version, size: formatBytes(fileSize) })}</p>
      <Button
        mt={8}
        leftSection={isStarting ? <Loader size={16} color="currentColor" /> : <IconDownload size={16} />}
        aria-busy={isStarting || undefined}
        onClick={() => void start({}, fileName)}
      >
        {t('download')}
      </Button>
    </>
  )
}

/** The deployed version of the desktop client with its size, and for which Windows it is (spec S1 §2). */
function ClientDownload({ name }: { name: string }) {
  const t = useTexts(downloadTexts)
  const { data, isError, refetch } = useQuery(
    { queryKey: [findDeployed.path], queryFn: () => call(findDeployed, {}), retry: false },
    queryClient,
  )
  return (
    <section className={css.part}>
      <h2>{name}</h2>
      <Text className="quiet" mb={8}>
        {t('systems')}
      </Text>
      {data?.client && <Client client={data.client} />}
      {data?.client === null && <p>{t('noClient')}</p>}
      {isError && (
        <Button mt={8} variant="default" onClick={() => void refetch()}>
          {t('retry')}
        </Button>
      )}
    </section>
  )
}

function useUserManual(clientName: string) {
  const t = useTexts(downloadTexts)
  const language = useLanguage()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    if (isBusy) return
    setBusy(true)
    try {
      const response = await callFile(userManual, { type: 1, language })
      saveFile(`${t('userManualFile', { name: clientName })}.pdf`, await response.blob())
    } catch (error) {
      markHandled(error)
      await showMessage({ title: t('downloadFailed'), body: errorText(error) })
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, save }
}

const Link = ({ href, children }: { href: string; children: ReactNode }) => (
  <a className={css.row} href={href} target="_blank" rel="noreferrer">
    {children}
    <IconExternalLink size={16} />
  </a>
)

/** The OTP manual opens in a new tab, the user manual is saved as PDF (spec S1 §2). */
function Manuals({ runtime: { product, dmsManualLink } }: { runtime: RuntimeConfig }) {
  const t = useTexts(downloadTexts)
  const language = useLanguage()
  const { isBusy, save } = useUserManual(product.clientName)
  return (
    <section className={css.part}>
      <h2>{t('manuals')}</h2>
      <UnstyledButton className={css.row} aria-busy={isBusy} onClick={() => void save()}>
        {t('userManual')}
        <IconDownload size={16} />
      </UnstyledButton>
      <Link href={otpManualAddress(language)}>{t('otpManual')}</Link>
      {dmsManualLink !== '' && <Link href={dmsManualLink}>{t('dmsManual')}</Link>}
    </section>
  )
}

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
    <PortalCard configs={configs} title={t('greeting', { name: session.name })} hint={t('hint')} width="wide">
      <dl className={css.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Group gap={8}>
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
      </Group>
      <ClientDownload name={configs.runtime.product.clientName} />
      <Manuals runtime={configs.runtime} />
      <Suspense>{showsSessions && <OwnSessionsDialog onClose={() => setShowsSessions(false)} />}</Suspense>
    </PortalCard>
  )
}
