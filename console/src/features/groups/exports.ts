// The parts of this feature that other features and the shell may import.
import { loadTexts } from '../../kit/texts/texts.ts'
import { groupsTexts } from './groups.ts'

// Ahead of the first use: a screen that waits for texts would lose the focus.
void loadTexts(groupsTexts)

export { GroupField } from './GroupField.tsx'
export { GroupInfo } from './GroupInfo.tsx'
export { GroupPickerDialog, GroupSelector, GroupsPickerDialog, useChosenName } from './GroupPickers.tsx'
export { GroupsPane } from './GroupsPane.tsx'
export { GroupTree } from './GroupTree.tsx'
export { flattenGroups } from './groupRows.ts'
export { useAuthGroups, useGroupIndex, useGroupsWith, useReach } from './groups.ts'
export { useChangesText } from './useGroupActions.ts'
