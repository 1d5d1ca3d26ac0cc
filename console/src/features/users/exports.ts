// What other features use of users.
export { MoveUsersDialog } from './MoveUsersDialog.tsx'
export { UserPickerDialog } from './UserPickerDialog.tsx'
export { useUserLock } from './useUserLock.ts'
