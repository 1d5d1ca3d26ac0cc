// The signed-in user and the configuration, for every screen: what to show and enable (spec S1 §6).
import type { AppConfigs, RuntimeConfig } from '@acc/contract/configs'
import { type Access, can } from '@acc/contract/core/access'
import { Role } from '@acc/contract/labels/access'
import type { Session } from '@acc/contract/session'
import { createContext, use } from 'react'

type ViewerData = { session: Session; configs: AppConfigs }
export const ViewerContext = createContext<ViewerData | null>(null)

export type Viewer = ViewerData & {
  runtime: RuntimeConfig
  isAdmin: boolean
  /** The contract's own rule: `can(api.users.create.access)` says whether to show the button. */
  can: (access: Access) => boolean
}

export function useViewer(): Viewer {
  const known = use(ViewerContext)
  if (!known) throw new Error('useViewer is used outside the signed-in application')
  return viewerOf(known)
}

export const viewerOf = ({ session, configs }: ViewerData): Viewer => ({
  session,
  configs,
  runtime: configs.runtime,
  isAdmin: session.role === Role.ADMIN,
  can: (access) => can(session, access),
})
