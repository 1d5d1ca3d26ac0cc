// The parts of this feature that other features may import.
export { clientPolicyMenu, siteConfigMenu } from './configTexts.menus.ts'
