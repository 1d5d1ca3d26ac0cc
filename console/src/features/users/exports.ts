// The parts of this feature that other features may import.
export { readDay } from './expiry.ts'
export { MoveUsersDialog } from './MoveUsersDialog.tsx'
export { UserPickerDialog } from './UserPickerDialog.tsx'
export { UserStateDot } from './userColumns.tsx'
export { useUserLock } from './useUserLock.ts'
