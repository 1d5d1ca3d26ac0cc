// A choice of groups that narrows figures and lists. Each group includes all of its subgroups (spec S2 §6).
import { z } from 'zod'
import { idx } from './fields.ts'

/** Maximum number of groups that one call may name. */
export const MAX_CHOSEN_GROUPS = 200

/** Without a group, every group that the viewer covers is included. */
export const chosenGroups = z.array(idx).max(MAX_CHOSEN_GROUPS).optional()
