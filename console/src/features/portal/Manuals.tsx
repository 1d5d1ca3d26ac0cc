// The manuals of the download page (spec S1 §2): the OTP manual opens in a new tab, the user manual is saved as PDF.
import type { RuntimeConfig } from '@acc/contract/configs'
import { UnstyledButton } from '@mantine/core'
import { IconDownload, IconExternalLink } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { callFile } from '../../kit/api/call.ts'
import { saveFile } from '../../kit/api/csv.ts'
import { markHandled } from '../../kit/api/errors.ts'
import { errorText } from '../../kit/api/errorText.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { downloadTexts } from './download.texts.ts'
import css from './Portal.module.css'
import { otpManualAddress, userManual } from './portal.calls.ts'

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

export function Manuals({ runtime: { product, dmsManualLink } }: { runtime: RuntimeConfig }) {
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
