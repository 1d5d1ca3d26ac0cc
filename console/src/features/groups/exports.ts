// The parts of this feature that other features and the shell may import.
import { loadTexts } from '../../kit/texts/texts.ts'
import { groupsTexts } from './groups.ts'

// Ahead of the first use: a screen that waits for texts would lose the focus.
void loadTexts(groupsTexts)

export { GroupField } from './GroupField.tsx'
export { GroupInfo } from './GroupInfo.tsx'
export { GroupManagers } from './GroupManagers.tsx'
export { GroupPickerDialog, GroupSelector, GroupsPickerDialog, useChosenName } from './GroupPickers.tsx'
export { GroupsPane } from './GroupsPane.tsx'
export { GroupTree, pressTreeKey } from './GroupTree.tsx'
export { GroupToggle, indentOf } from './GroupTreeRow.tsx'
export { flattenGroups, type GroupRow } from './groupRows.ts'
export { useAuthGroups, useGroupIndex, useGroupsWith, useReach } from './groups.ts'
export { useChangesText, useNeededWords } from './useGroupActions.ts'
export { ROW, useGroupTree } from './useGroupTree.ts'
