// The parts of this feature that other features may import.
export { HistoryButton } from './HistoryButton.tsx'
