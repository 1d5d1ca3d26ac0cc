// The parts of this feature that other features may import.
export { SentMails } from './SentMails.tsx'
