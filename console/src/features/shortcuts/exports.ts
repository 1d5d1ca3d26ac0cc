// The parts of this feature that other features may import.
export { ShortcutIcon } from './ShortcutIcon.tsx'
