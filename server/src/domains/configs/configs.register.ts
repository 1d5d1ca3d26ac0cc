// The register step of administrators: the license and the mail server that the console requires (spec S1 §2, §4).
import type { RegisterPart } from '@acc/contract/core/route'
import type { Reader } from '../../db/open.ts'
import { hasSetting } from '../../settings/settings.ts'
import { isLicensed, type LicenseApp } from '../licenses/licenses.status.ts'

export const hasMailServer = (db: Reader): Promise<boolean> => hasSetting(db, 'mailServer', 'evaluationOutbox')

/** Whether a part of the register step is still to be done. */
export const isRegisterDue = async (db: Reader, app: LicenseApp, part: RegisterPart): Promise<boolean> =>
  !(await (part === 'license' ? isLicensed(db, app) : hasMailServer(db)))
