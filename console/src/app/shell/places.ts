// Where a destination of the address is shown: a screen of its own, or a part of another screen.

import type { Viewer } from '../../kit/api/viewer.ts'
import { isOpen } from '../../kit/layout/screen.ts'
import type { Destination } from '../start/destination.ts'
import { screens } from './screens.ts'

const PARTS: Readonly<Record<string, { screen: string; view: object }>> = {
  mails: { screen: 'settings', view: { menu: 'mailServer', tab: 'sent' } },
}

export function placeOf({ screen, idx }: Destination): { screen: string; view: object } {
  const part = Object.hasOwn(PARTS, screen) ? PARTS[screen] : undefined
  return { screen: part?.screen ?? screen, view: { ...part?.view, ...(idx !== null && { idx }) } }
}

export const mayOpen = (name: string, viewer: Viewer): boolean =>
  screens.some((screen) => screen.name === name && isOpen(screen, viewer))
