// The card of every portal page: logo, title, hint, content, language and theme.
import type { AppConfigs } from '@acc/contract/configs'
import { Paper, Text, UnstyledButton } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { silentWrites } from '../../kit/browser/connection.ts'
import { useStore } from '../../kit/browser/store.ts'
import { useTheme } from '../../kit/browser/useTheme.ts'
import { dialogTexts } from '../../kit/dialogs/dialogs.texts.ts'
import { chooseLanguage } from '../../kit/layout/fetchedComponent.ts'
import { Logo } from '../../kit/layout/Logo.tsx'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import type { Language } from '../../kit/texts/translate.ts'
import css from './Portal.module.css'
import { portalTexts } from './portal.texts.ts'

function LanguageChoice({ value, name }: { value: Language; name: string }) {
  const language = useLanguage()
  return (
    <UnstyledButton
      className={css.choice}
      lang={value}
      aria-pressed={language === value}
      onClick={() => void chooseLanguage(value)}
    >
      {name}
    </UnstyledButton>
  )
}

/** An SVG, since the page's font lacks this sign and a search for a fallback font would delay the first paint. */
const HalfMoon = () => (
  <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden>
    <circle cx="6" cy="6" r="5" fill="none" stroke="currentColor" />
    <path d="M6 1a5 5 0 0 0 0 10z" fill="currentColor" />
  </svg>
)

type Props = { configs: AppConfigs; title: string; hint: string; width?: 'wide' | 'double'; children: ReactNode }

export function PortalCard({ configs, title, hint, width, children }: Props) {
  const [t, words] = [useTexts(portalTexts), useTexts(dialogTexts)]
  const isSilent = useStore(silentWrites) > 0
  const theme = useTheme()
  const { serverName } = configs.runtime.product
  useEffect(() => {
    document.title = `${title} · ${serverName}`
  }, [title, serverName])
  return (
    <main className={css.page}>
      <Paper className={css.card} data-width={width}>
        <Logo image={configs.loginPageLogoData} name={serverName} isLarge />
        <h1>{title}</h1>
        <p className={css.hint}>{hint}</p>
        {children}
        {isSilent && (
          <Text className="notice" data-tone="warn" mt={14} role="alert">
            {words('silentWrite')}
          </Text>
        )}
        <footer className={css.foot}>
          <span>
            <LanguageChoice value="ko" name="한국어" /> · <LanguageChoice value="en" name="English" />
          </span>
          <UnstyledButton
            className={css.choice}
            onClick={theme.toggle}
            title={theme.isDark ? t('toLight') : t('toDark')}
          >
            <HalfMoon /> {t('theme')}
          </UnstyledButton>
        </footer>
      </Paper>
    </main>
  )
}
