// Mantine's components as the console uses them. Colours and sizes are set in theme.css.
import {
  createTheme,
  defaultVariantColorsResolver,
  localStorageColorSchemeManager,
  type MantineThemeOverride,
} from '@mantine/core'
import { stored } from '../../kit/browser/storage.ts'

export const theme: MantineThemeOverride = createTheme({
  primaryColor: 'blue',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Text on a filled color: dark on the light accents of the dark theme.
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input)
    if (input.variant !== 'filled') return colors
    return { ...colors, color: input.color === 'red' ? 'var(--bad-ink)' : 'var(--accent-ink)' }
  },
  components: {
    Button: { defaultProps: { size: 'sm' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 28 } },
    TextInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm' } },
    NumberInput: { defaultProps: { size: 'sm', allowDecimal: false, allowNegative: false } },
    Select: {
      defaultProps: {
        size: 'sm',
        checkIconPosition: 'right',
        allowDeselect: false,
        comboboxProps: { shadow: 'md' },
        // The list itself scrolls as the field moves through it. The keyboard could not reach a scroll area inside it.
        withScrollArea: false,
      },
    },
    ComboboxChevron: { defaultProps: { 'aria-hidden': true } },
    Checkbox: { defaultProps: { size: 'xs', iconColor: 'var(--accent-ink)' } },
    Radio: { defaultProps: { size: 'xs', iconColor: 'var(--accent-ink)' } },
    Switch: { defaultProps: { size: 'xs' } },
    Tooltip: { defaultProps: { withArrow: false, openDelay: 300, maw: 360, multiline: true } },
    Menu: { defaultProps: { shadow: 'md' } },
    // Locking the scroll would write a style element, which the CSP forbids; the frame's body does not scroll anyway.
    Modal: {
      defaultProps: {
        lockScroll: false,
        centered: true,
        radius: 10,
        overlayProps: { backgroundOpacity: 0.4 },
        transitionProps: { duration: 120 },
      },
    },
  },
})

export const colorSchemeManager = localStorageColorSchemeManager({ key: stored.theme })
