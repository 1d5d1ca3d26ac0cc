// Verification of the history for the operator and for auditors.
import { formatMoment } from '@acc/contract/labels/formats'
import { days, later, systemClock } from '../clock.ts'
import { findGivenKeys, makeKeyRing } from '../crypto/secretKey.ts'
import { isPublicKeyText, PUBLIC_KEY_FORM } from '../crypto/signingKey.ts'
import type { Database } from '../db/open.ts'
import { findSealKey } from '../domains/history/history.sealKey.ts'
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

/** Finds the public key of the seals in the database, with the secret key that it names. */
async function findPublicKey(db: Database, env: Env): Promise<string> {
  const [key, ...others] = await findGivenKeys(secretKeySource(env))
  if (key === undefined) throw failure(`There is no secret key in ${env.dataDir}: name the seals' key by --public-key.`)
  return (await findSealKey(db.read, makeKeyRing(key, ...others))).publicKey
}

export const verifyHistoryCommand: Command = {
  args: [],
  options: ['public-key', 'expect'],
  async run(values) {
    const env = readEnv(process.env)
    const expected = expectedOf(values.expect)
    const given = values['public-key']
    if (given !== undefined && !isPublicKeyText(given)) throw usageError(`--public-key takes ${PUBLIC_KEY_FORM}.`)
    const { finding, publicKey, ...verified } = await withDatabase(env, async (db) => {
      const publicKey = given ?? (await findPublicKey(db, env))
      return { publicKey, ...(await verifyHistory(db.read, { publicKey, keptSince: keptSince(env), expected })) }
    })
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
