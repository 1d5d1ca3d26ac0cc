// What the console needs before sign-in: limits, password rules, the operator's runtime configuration (spec S1 §3).
import { api } from '@acc/contract'
import { CLIENT_EXTENSIONS } from '@acc/contract/clientVersions'
import { LOGO_EXTENSIONS } from '@acc/contract/infos'
import { flagOf } from '@acc/contract/labels/flags'
import { LICENSE_EXTENSIONS } from '@acc/contract/licenses'
import { routes } from '../../http/route.ts'
import { SERVER_VERSION } from '../../version.ts'
import { findProtection } from '../credentials/formerPasswords.ts'
import { findPasswordRules } from '../credentials/passwordRules.ts'
import { findLogos } from '../infos/infos.logos.ts'
import { findLicense, isLicensed } from '../licenses/licenses.status.ts'
import { hasMailServer } from './configs.register.ts'

export default routes(api.configs, {
  get: async ({ services, read }) => ({
    sessionValidMinutes: services.env.sessionMinutes,
    maxLoginFails: services.env.maxLoginFails,
    maxOtpFails: services.env.maxOtpFails,
    pwChangeRecommendDays: services.env.pwChangeDays,
    isLicensed: flagOf(await isLicensed(read, services)),
    isEvaluation: flagOf((await findLicense(read, services)).registered === undefined),
    hasMailServer: flagOf(await hasMailServer(read, services)),
    hasSso: flagOf(services.env.oidc !== undefined),
    ...(await findLogos(read)),
    allowExtensionsLogo: [...LOGO_EXTENSIONS],
    ...(await findPasswordRules(read)),
    refusesContextWords: (await findProtection(read)).contextWords,
    allowExtensionsLicense: [...LICENSE_EXTENSIONS],
    allowExtensionsClient: [...CLIENT_EXTENSIONS],
    useKnoxMailServer: flagOf(services.env.mailService !== undefined),
    serverVersion: SERVER_VERSION,
    runtime: services.env.runtime,
  }),
})
