// The parts of this feature that other features and the shell may import.
export { OwnSessionsDialog, SessionList } from './SessionList.tsx'
export { sessionsTexts } from './sessions.ts'
