// How a license comes into force: an administrator starts with the evaluation license.
import { SettingManage } from '@acc/contract/labels/history'
import { notify } from '../../core/change.ts'
import type { Change } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { insertSetting } from '../../settings/settings.ts'
import { settingLog } from './licenses.history.ts'
import { lockLicense } from './licenses.service.ts'
import { findLicense } from './licenses.status.ts'

type Ctx = Change<'settingManage'>
type Done = Record<string, never>

/** Starts with the evaluation license; choosing it again changes nothing. */
export function chooseEvaluation(ctx: Ctx): Promise<Done> {
  return ctx.change(async (tx) => {
    await lockLicense(tx)
    if ((await findLicense(tx, ctx.app)).registered !== undefined) fail('LICENSE_FAILED')
    if (!(await insertSetting(tx, 'evaluationLicense', true))) return { result: {}, log: 'unchanged' }
    await notify(tx, { topic: 'settings' })
    await notify(tx, { topic: 'licenses' })
    const values = { value: null, old: null }
    return { result: {}, log: [settingLog(SettingManage.CHOOSE_EVALUATION_LICENSE, 'evaluationLicense', values)] }
  })
}
