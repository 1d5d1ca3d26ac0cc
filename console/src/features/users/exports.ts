// The parts of this feature that other features may import.
import { loadTexts } from '../../kit/texts/texts.ts'
import { usersTexts } from './users.ts'

// Ahead of the first use: a table that waits for texts would move.
void loadTexts(usersTexts)

export { readDay } from './expiry.ts'
export { MoveUsersDialog } from './MoveUsersDialog.tsx'
export { UserPickerDialog } from './UserPickerDialog.tsx'
export { UserExpiry, UserStateDot } from './userColumns.tsx'
export { useUserLock } from './useUserLock.ts'
