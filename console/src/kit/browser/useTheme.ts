// Light or dark: the system's choice until the user makes one, remembered by the browser.
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'

export function useTheme() {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  // Without keepTransitions a style element would be written, which the CSP forbids.
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  return { isDark: scheme === 'dark', toggle: () => setColorScheme(scheme === 'dark' ? 'light' : 'dark') }
}
