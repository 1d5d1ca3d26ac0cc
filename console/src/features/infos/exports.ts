// The parts of this feature that other features may import.
export { infosMenu } from './infos.menu.ts'
