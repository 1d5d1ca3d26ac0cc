// The parts of this feature that other features may import.
export { SystemStatusPanel } from './SystemStatusPanel.tsx'
