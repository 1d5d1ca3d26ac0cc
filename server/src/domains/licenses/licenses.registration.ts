// How a license comes into force: an administrator uploads its file, or starts with the evaluation license.
import type { Empty } from '@acc/contract/core/fields'
import { flagOf } from '@acc/contract/labels/flags'
import { SettingManage } from '@acc/contract/labels/history'
import {
  LICENSE_EXTENSIONS,
  type LicenseObstacle,
  type LicensePreview,
  type LicenseTerms,
} from '@acc/contract/licenses'
import { days, later } from '../../clock.ts'
import { notify } from '../../core/change.ts'
import type { Actor, Change, FormFile, FreeContext } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { settingLog } from '../../core/settingLog.ts'
import { publicKeyOf } from '../../crypto/signingKey.ts'
import { insertSetting, updateSetting } from '../../settings/settings.ts'
import { LicenseFileError, readLicense } from './licenseFile.ts'
import { lockLicense } from './licenses.service.ts'
import { findLicense, isOver, type LicenseInForce, type LicenseServices, readStatus } from './licenses.status.ts'

type Ctx = Change<'settingManage'>

/** Returns the terms of an uploaded file. Fails with INVALID_LICENSE. */
function readUpload({ env }: LicenseServices, { name, bytes }: FormFile): LicenseTerms {
  const extension = name.toLowerCase().split('.').at(-1)
  if (!LICENSE_EXTENSIONS.some((allowed) => allowed === extension)) fail('INVALID_LICENSE', { reason: 'extension' })
  try {
    return readLicense(bytes, publicKeyOf(env.licensePublicKey))
  } catch (error) {
    if (error instanceof LicenseFileError) fail('INVALID_LICENSE', { reason: error.reason })
    throw error
  }
}

/** Clocks of the vendor and the server may differ by this much. */
const CLOCK_TOLERANCE = days(1)

/** An older license would undo one that took licenses back. */
function obstacleOf(
  terms: LicenseTerms,
  { registered }: LicenseInForce,
  services: LicenseServices,
): LicenseObstacle | null {
  if (isOver(terms, services)) return 'expired'
  if (new Date(terms.issued) > later(services.clock.now(), CLOCK_TOLERANCE)) return 'future'
  return registered !== undefined && terms.issued < registered.terms.issued ? 'older' : null
}

const isSame = (file: FormFile, { registered }: LicenseInForce) => registered?.file === file.bytes.toString('utf8')

/** Returns the terms of a file and the license in force, for comparison. */
export async function previewLicense({ services, read }: FreeContext<Actor>, file: FormFile): Promise<LicensePreview> {
  const terms = readUpload(services, file)
  const inForce = await findLicense(read, services)
  return {
    ...terms,
    expiry: terms.expiry ?? null,
    obstacle: obstacleOf(terms, inForce, services),
    isRegistered: flagOf(isSame(file, inForce)),
    current: await readStatus(read, services),
  }
}

const wordsOf = ({ maxCount, expiry }: LicenseTerms) =>
  expiry === undefined ? `${maxCount}` : `${maxCount} (${expiry})`

/** Registers a license in place of the former one. PCs beyond its count stay, and no new one is registered. */
export function registerLicense(ctx: Ctx, file: FormFile): Promise<Empty> {
  const { services } = ctx
  const terms = readUpload(services, file)
  return ctx.change(async (tx) => {
    await lockLicense(tx)
    const inForce = await findLicense(tx, services)
    if (isSame(file, inForce)) return { result: {}, log: 'unchanged' }
    const reason = obstacleOf(terms, inForce, services)
    if (reason !== null) fail('LICENSE_FAILED', { reason })
    const registerDT = services.clock.now().toISOString()
    await updateSetting(tx, 'license', { file: file.bytes.toString('utf8'), registerDT })
    await notify(tx, { topic: 'licenses' })
    await notify(tx, { topic: 'settings' })
    const { registered } = inForce
    const detail = {
      targetName: terms.licensee,
      targetValue: wordsOf(terms),
      targetOldValue: registered ? wordsOf(registered.terms) : null,
    }
    return { result: {}, log: [settingLog(SettingManage.REGISTER_LICENSE, 'license', detail)] }
  })
}

/** Starts with the evaluation license; choosing it again changes nothing. */
export function chooseEvaluation(ctx: Ctx): Promise<Empty> {
  return ctx.change(async (tx) => {
    await lockLicense(tx)
    if ((await findLicense(tx, ctx.services)).registered !== undefined) fail('LICENSE_FAILED')
    if (!(await insertSetting(tx, 'evaluationLicense', true))) return { result: {}, log: 'unchanged' }
    await notify(tx, { topic: 'settings' })
    await notify(tx, { topic: 'licenses' })
    return { result: {}, log: [settingLog(SettingManage.CHOOSE_EVALUATION_LICENSE, 'evaluationLicense')] }
  })
}
