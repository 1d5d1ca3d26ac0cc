// The parts of this feature that other features and the shell may import.
export { NoticesDialog } from './NoticesDialog.tsx'
export { noticesTexts } from './notices.ts'
export { OverduePanel } from './OverduePanel.tsx'
