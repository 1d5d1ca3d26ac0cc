// The parts of this feature that other features may import.
export { LicenseUpload } from './LicenseUpload.tsx'
