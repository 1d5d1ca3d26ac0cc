// The parts of this feature that other features may import.
export { MailServerForm } from './MailServerForm.tsx'
