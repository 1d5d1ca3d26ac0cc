// Actions of a group's gear menu (spec S1 §5, §6). Absent ones are hidden; unavailable ones are shown with a reason.
import type { Group } from '@acc/contract/groups'
import { ROOT_GROUP } from '@acc/contract/groups'
import { Level } from '@acc/contract/labels/access'

export type Refusal = 'partner' | 'dmsRoot' | 'fewSiblings' | 'rightAbove' | 'rightBeside'
export type Offer = 'absent' | 'open' | Refusal
type Place = { group: Group; parent: Group | null }

const isTop = ({ group, parent }: Place) => parent === null || group.isTop === 1

function create({ group }: Place): Offer {
  return group.isUnderDmsParent === 1 ? 'partner' : 'open'
}

function reorder(place: Place): Offer {
  const siblings = place.parent?.children ?? []
  if (isTop(place)) return 'absent'
  if (siblings.length < 2) return 'fewSiblings'
  return siblings.every(({ maxPolicy }) => maxPolicy === Level.EDIT) ? 'open' : 'rightBeside'
}

function remove(place: Place): Offer {
  const { group, parent } = place
  if (isTop(place)) return 'absent'
  if (group.isDmsParent === 1) return 'dmsRoot'
  if (group.isUnderDmsParent === 1) return 'partner'
  return parent?.maxPolicy === Level.EDIT ? 'open' : 'rightAbove'
}

function setDmsRoot({ group }: Place, isAdmin: boolean): Offer {
  if (!isAdmin || group.idx === ROOT_GROUP) return 'absent'
  return group.isDmsParent === 1 ? 'dmsRoot' : 'open'
}

/** Whether the viewer may create a group below this one. */
export const isParent = (group: Group): boolean => hasGear(group) && create({ group, parent: null }) === 'open'

export const hasGear = ({ maxPolicy }: Group): boolean => maxPolicy === Level.EDIT

export const actionsOf = (place: Place, isAdmin: boolean) => ({
  create: create(place),
  reorder: reorder(place),
  setDmsRoot: setDmsRoot(place, isAdmin),
  remove: remove(place),
})
