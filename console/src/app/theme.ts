// Mantine's components as the console uses them. Colours and measures are theme.css's.
import { createTheme, localStorageColorSchemeManager, type MantineThemeOverride } from '@mantine/core'
import { stored } from '../kit/storage.ts'

export const theme: MantineThemeOverride = createTheme({
  primaryColor: 'blue',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'sm' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 28 } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm' } },
    NumberInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', checkIconPosition: 'right', allowDeselect: false } },
    Checkbox: { defaultProps: { size: 'xs' } },
    Radio: { defaultProps: { size: 'xs' } },
    Switch: { defaultProps: { size: 'xs' } },
    Tooltip: { defaultProps: { withArrow: false, openDelay: 300, maw: 360, multiline: true } },
    Menu: { defaultProps: { shadow: 'md' } },
    // Locking the scroll would write a style element, which the CSP forbids; the frame's body does not scroll anyway.
    Modal: {
      defaultProps: { lockScroll: false, centered: true, radius: 10, transitionProps: { duration: 120 } },
    },
  },
})

export const colorSchemeManager = localStorageColorSchemeManager({ key: stored.theme })
