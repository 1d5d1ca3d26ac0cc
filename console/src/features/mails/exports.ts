// The parts of this feature that other features may import.
export { useFailedMails } from './mails.ts'
export { SentMails } from './SentMails.tsx'
