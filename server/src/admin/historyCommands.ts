// Verification of the history for the operator and for auditors.
import { formatMoment } from '@acc/contract/labels/formats'
import { days, later, systemClock } from '../clock.ts'
import { findSecretKey } from '../crypto/secretKey.ts'
import { isPublicKeyText, PUBLIC_KEY_FORM } from '../crypto/signingKey.ts'
import { sealKeyOf } from '../domains/history/history.sealKey.ts'
import { sentenceOf, type Trust, verifyHistory } from '../domains/history/history.verify.ts'
import { type Env, readEnv, secretKeySource } from '../env.ts'
import { type Command, failure, usageError } from './commandLine.ts'
import { withDatabase } from './openForAdmin.ts'

function expectedOf(text: string | undefined): Trust['expected'] {
  if (text === undefined) return undefined
  const match = /^([1-9]\d{0,9}):([0-9a-f]{64})$/.exec(text)
  if (match === null) throw usageError('--expect takes NUMBER:HASH, as the log and an earlier verification have them.')
  return { no: Number(match[1]), hash: match[2] ?? '' }
}

/** The moment since which no row of the history was dropped. */
export const keptSince = (env: Env): Date => later(systemClock.now(), -days(env.logRetentionDays))

async function findPublicKey(env: Env, given: string | undefined): Promise<string> {
  if (given !== undefined) {
    if (!isPublicKeyText(given)) throw usageError(`--public-key takes ${PUBLIC_KEY_FORM}.`)
    return given
  }
  const key = await findSecretKey(secretKeySource(env))
  if (key === undefined) throw failure(`There is no secret key in ${env.dataDir}: name the seals' key by --public-key.`)
  return sealKeyOf(key).publicKey
}

export const verifyHistoryCommand: Command = {
  args: [],
  options: ['public-key', 'expect'],
  async run(values) {
    const env = readEnv(process.env)
    const expected = expectedOf(values.expect)
    const publicKey = await findPublicKey(env, values['public-key'])
    const { finding, ...verified } = await withDatabase(env, (db) =>
      verifyHistory(db.read, { publicKey, keptSince: keptSince(env), expected }),
    )
    if (finding !== undefined) throw failure(`The history was altered: ${sentenceOf(finding)}.`)
    const { seals, rows, dropped, unsealed, head } = verified
    const lines = [
      'The history is as it was sealed.',
      `  Rows       ${rows} in ${seals} seals; ${unsealed} newer ones are not sealed yet`,
      ...(dropped > 0 ? [`  Dropped    ${dropped} rows, all of them older than those that are kept`] : []),
      ...(head === undefined
        ? []
        : [`  Last seal  ${formatMoment(head.sealDT.toISOString())}; expect it next time: ${head.no}:${head.hash}`]),
      `  Public key ${publicKey}`,
    ]
    return { document: { ...verified, publicKey }, lines }
  },
}
