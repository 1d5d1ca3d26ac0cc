// The license in force: that of the registered file as long as its signature holds, otherwise the built-in evaluation
// license.
import { flagOf } from '@acc/contract/labels/flags'
import type { LicenseStatus, LicenseTerms } from '@acc/contract/licenses'
import { CountType } from '@acc/contract/licenses'
import { today } from '../../clock.ts'
import type { HandlerServices } from '../../core/services.ts'
import { publicKeyOf } from '../../crypto/signingKey.ts'
import type { Reader } from '../../db/open.ts'
import { findSetting, hasSetting } from '../../settings/settings.ts'
import { LicenseFileError, readLicense } from './licenseFile.ts'
import { countDevices } from './licenses.queries.ts'

/** Devices that the built-in evaluation license allows. */
export const EVALUATION_DEVICES = 10

export type LicenseServices = Pick<HandlerServices, 'env' | 'clock'>
export type LicenseInForce = {
  /** Undefined for the evaluation license. */
  registered: { terms: LicenseTerms; file: string; registerDT: string } | undefined
  countType: LicenseTerms['countType']
  maxCount: number
  isExpired: boolean
}

const EVALUATION: LicenseInForce = {
  registered: undefined,
  countType: CountType.DEVICES,
  maxCount: EVALUATION_DEVICES,
  isExpired: false,
}

/** Whether the last day of a license is over. */
export const isOver = ({ expiry }: Pick<LicenseTerms, 'expiry'>, { clock }: Pick<LicenseServices, 'clock'>): boolean =>
  expiry !== undefined && expiry < today(clock)

export async function findLicense(db: Reader, services: LicenseServices): Promise<LicenseInForce> {
  const stored = await findSetting(db, 'license')
  const terms = stored && verifiedTerms(stored.file, services)
  if (stored === undefined || terms === undefined) return EVALUATION
  const { countType, maxCount } = terms
  return { registered: { terms, ...stored }, countType, maxCount, isExpired: isOver(terms, services) }
}

/**
 * Whether an administrator registered a license that has not expired, or chose the evaluation license. Decides only if
 * administrators get the register step.
 */
export async function isLicensed(db: Reader, services: LicenseServices): Promise<boolean> {
  const { registered, isExpired } = await findLicense(db, services)
  return registered === undefined ? hasSetting(db, 'evaluationLicense') : !isExpired
}

/** A file that another key signed, or that was altered in the database, grants nothing. */
function verifiedTerms(file: string, { env }: LicenseServices): LicenseTerms | undefined {
  try {
    return readLicense(file, publicKeyOf(env.licensePublicKey))
  } catch (error) {
    if (error instanceof LicenseFileError) return undefined
    throw error
  }
}

/** PCs that one user may register until an administrator sets another number. */
const DEVICES_PER_USER = 5

/** Returns the number of PCs that one user may register. */
export const findDevicesPerUser = async (db: Reader): Promise<number> =>
  (await findSetting(db, 'devicesPerUser')) ?? DEVICES_PER_USER

export async function readStatus(db: Reader, services: LicenseServices): Promise<LicenseStatus> {
  const { registered, countType, maxCount, isExpired } = await findLicense(db, services)
  return {
    registerDT: registered?.registerDT ?? null,
    countType,
    useCount: await countDevices(db),
    maxCount,
    licensee: registered?.terms.licensee ?? null,
    expiry: registered?.terms.expiry ?? null,
    isEvaluation: flagOf(registered === undefined),
    isExpired: flagOf(isExpired),
    devicesPerUser: await findDevicesPerUser(db),
  }
}
