// What other features use of users.
export { MoveUsersDialog } from './MoveUsersDialog.tsx'
export { UserPickerDialog } from './UserPickerDialog.tsx'
export { UserStateDot } from './UserStateDot.tsx'
export { useUserLock } from './useUserLock.ts'
