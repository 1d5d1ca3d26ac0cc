// The register step of administrators (spec S1 §2): first the license, then the mail server.
import type { AppConfigs } from '@acc/contract/configs'
import { isLicenseMissing } from './afterSignIn.ts'
import { RegisterLicense } from './RegisterLicense.tsx'
import { RegisterMail } from './RegisterMail.tsx'

export type RegisterProps = {
  configs: AppConfigs
  /** Reads the configuration again, which leads to the next part or past the step. */
  onDone: () => void
  onSignOut: () => void
}

export function RegisterPage(props: RegisterProps) {
  const Part = isLicenseMissing(props.configs) ? RegisterLicense : RegisterMail
  return <Part {...props} />
}
