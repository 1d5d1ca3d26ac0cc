// Every screen, in the order of the menu.
import { mailsScreen } from '../features/mails/mails.screen.ts'
import type { Screen } from '../kit/screen.ts'

export const screens: readonly Screen[] = [mailsScreen]
