// The buttons for theme and language.
import { ActionIcon, type FloatingPosition, Tooltip } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { useTheme } from '../../kit/browser/useTheme.ts'
import { chooseLanguage } from '../../kit/layout/fetchedComponent.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { appTexts } from './app.texts.ts'
import css from './Sidebar.module.css'

type Props = { position: FloatingPosition }

export function ThemeButton({ position }: Props) {
  const t = useTexts(appTexts)
  const theme = useTheme()
  const label = theme.isDark ? t('themeLight') : t('themeDark')
  return (
    <Tooltip label={label} position={position}>
      <ActionIcon aria-label={label} onClick={theme.toggle}>
        {theme.isDark ? <IconSun size={17} stroke={1.7} /> : <IconMoon size={17} stroke={1.7} />}
      </ActionIcon>
    </Tooltip>
  )
}

export function LanguageButton({ position }: Props) {
  const t = useTexts(appTexts)
  const language = useLanguage()
  return (
    <Tooltip label={t('language')} position={position}>
      <ActionIcon
        aria-label={t('language')}
        className={css.language}
        onClick={() => void chooseLanguage(language === 'ko' ? 'en' : 'ko')}
      >
        {language === 'ko' ? 'EN' : '한'}
      </ActionIcon>
    </Tooltip>
  )
}
