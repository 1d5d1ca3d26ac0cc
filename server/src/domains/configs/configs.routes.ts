// What the console needs before sign-in: limits, password rules, the operator's runtime configuration (spec S1 §3).
import { api } from '@acc/contract'
import { CLIENT_EXTENSIONS } from '@acc/contract/clientVersions'
import type { AppConfigs } from '@acc/contract/configs'
import { LOGO_EXTENSIONS } from '@acc/contract/infos'
import { flagOf } from '@acc/contract/labels/flags'
import { LICENSE_EXTENSIONS } from '@acc/contract/licenses'
import { today } from '../../clock.ts'
import type { ReadContext } from '../../core/context.ts'
import type { HandlerServices } from '../../core/services.ts'
import { shareAnswer } from '../../core/sharedAnswers.ts'
import { routes } from '../../http/route.ts'
import { findVersion } from '../../settings/settings.ts'
import { SERVER_VERSION } from '../../version.ts'
import { findProtection } from '../credentials/formerPasswords.ts'
import { findPasswordRules } from '../credentials/passwordRules.ts'
import { findLogos } from '../infos/infos.logos.ts'
import { findLicense, isLicensed } from '../licenses/licenses.status.ts'
import { hasMailServer, usesOutbox } from './configs.register.ts'

type Kept = { version: string; answer: AppConfigs }
const kept = new WeakMap<HandlerServices['env'], Kept>()

async function build({ services, read }: Pick<ReadContext<undefined>, 'services' | 'read'>): Promise<AppConfigs> {
  return {
    sessionValidMinutes: services.env.sessionMinutes,
    maxLoginFails: services.env.maxLoginFails,
    pwChangeRecommendDays: services.env.pwChangeDays,
    isLicensed: flagOf(await isLicensed(read, services)),
    isEvaluation: flagOf((await findLicense(read, services)).registered === undefined),
    hasMailServer: flagOf(await hasMailServer(read, services)),
    usesOutbox: flagOf(await usesOutbox(read, services)),
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
  }
}

/** Returns the same object until a setting or the day changes, so that it is read, checked and written once. */
export default routes(api.configs, {
  find: async (ctx) => {
    const { services, read } = ctx
    const version = `${today(services.clock)} ${await findVersion(read)}`
    const found = kept.get(services.env)
    if (found?.version === version) return found.answer
    const answer = shareAnswer(await build(ctx))
    kept.set(services.env, { version, answer })
    return answer
  },
})
