// The register step of administrators: the license and the mail server that the console requires (spec S1 §2, §4).
import type { RegisterPart } from '@acc/contract/core/route'
import type { Reader } from '../../db/open.ts'
import type { Env } from '../../env.ts'
import { hasSetting } from '../../settings/settings.ts'
import { isLicensed, type LicenseServices } from '../licenses/licenses.status.ts'

type MailServices = { env: Pick<Env, 'mailService'> }

export const hasMailServer = async (db: Reader, { env }: MailServices): Promise<boolean> =>
  env.mailService !== undefined || (await hasSetting(db, 'mailServer', 'evaluationOutbox'))

/** Whether mail is kept in the evaluation outbox, since nothing delivers it. */
export const usesOutbox = async (db: Reader, { env }: MailServices): Promise<boolean> =>
  env.mailService === undefined && !(await hasSetting(db, 'mailServer'))

/** Whether an administrator has settled for the evaluation outbox, and nothing delivers mail since. */
export const isOutboxChosen = async (db: Reader, services: MailServices): Promise<boolean> =>
  (await hasSetting(db, 'evaluationOutbox')) && (await usesOutbox(db, services))

/** Whether a part of the register step is still to be done. */
export const isRegisterDue = async (
  db: Reader,
  services: LicenseServices & MailServices,
  part: RegisterPart,
): Promise<boolean> => !(await (part === 'license' ? isLicensed(db, services) : hasMailServer(db, services)))
