// What other features and the shell use of sessions.
export { OwnSessionsDialog } from './OwnSessionsDialog.tsx'
export { SessionList } from './SessionList.tsx'
