// Verification of the history for the operator and for auditors, and its acceptance after a restore.
import { formatMoment } from '@acc/contract/labels/formats'
import { days, later, systemClock } from '../clock.ts'
import { findGivenKeys, type KeyRing, makeKeyRing } from '../crypto/secretKey.ts'
import { isPublicKeyText, PUBLIC_KEY_FORM } from '../crypto/signingKey.ts'
import type { Database } from '../db/open.ts'
import { acceptHistory } from '../domains/history/history.accept.ts'
import { type Finding, sentenceOf } from '../domains/history/history.findings.ts'
import { findHeadFile, type Head, keepHeadFile } from '../domains/history/history.head.ts'
import { findOrigin } from '../domains/history/history.origin.ts'
import { findSealKey } from '../domains/history/history.sealKey.ts'
import { findKeptSince, type VerificationResult, verifyHistory } from '../domains/history/history.verify.ts'
import { type Env, readEnv, secretKeySource } from '../env.ts'
import { type Command, failure, usageError } from './commandLine.ts'
import { withDatabase } from './openForAdmin.ts'
import { changeAsOperator } from './operator.ts'

type KnownSeal = Pick<Head, 'no' | 'hash'>

/** The exit status of a valid history whose end is not known. */
const UNPROVEN = 3

function expectedOf(text: string | undefined): KnownSeal[] {
  if (text === undefined) return []
  const match = /^([1-9]\d{0,9}):([0-9a-f]{64})$/.exec(text)
  if (match === null) throw usageError('--expect takes NUMBER:HASH, as the log and an earlier verification have them.')
  return [{ no: Number(match[1]), hash: match[2] ?? '' }]
}

/** Returns the moment since which no row of the history was dropped. */
export const keptSince = (env: Env): Date => later(systemClock.now(), -days(env.logRetentionDays))

/** Returns the server's keys. `instead`: what serves without them. */
export async function findKeys(env: Env, instead = ''): Promise<KeyRing> {
  const source = secretKeySource(env)
  const [key, ...others] = await findGivenKeys(source)
  if (key === undefined)
    throw failure(`There is no secret key: put it back as ${source.file}, or set ACC_SECRET_KEY${instead}.`)
  return makeKeyRing(key, ...others)
}

/** Finds the seal that the server in this data directory has kept, or its fault. */
async function findKept(db: Database, env: Env, publicKey: string): Promise<KnownSeal[] | Finding> {
  const kept = await findHeadFile(env, publicKey)
  if (kept === undefined) return []
  if (kept === 'altered') return { fault: 'file' }
  return kept.origin === (await findOrigin(db.read)) ? [kept] : { fault: 'origin' }
}

type Verified = Omit<VerificationResult, 'finding' | 'through' | 'isMore'> & { publicKey: string; isProven: boolean }

const altered = (finding: Finding) => failure(`The history was altered: ${sentenceOf(finding)}.`)

function linesOf({ seals, rows, dropped, unsealed, head, publicKey, isProven }: Verified): string[] {
  const isSealed = head !== undefined
  return [
    isSealed ? 'The history is as it was sealed.' : 'Nothing is sealed yet, so nothing is proven.',
    ...(isSealed && !isProven
      ? ['Not proven against removal: no seal is known that it has to reach. Name one by --expect.']
      : []),
    `  Rows       ${rows} in ${seals} seals; ${unsealed} newer ones are not sealed yet`,
    ...(dropped > 0 ? [`  Dropped    ${dropped} rows, with the months that the retention period ended`] : []),
    ...(isSealed
      ? [`  Last seal  ${formatMoment(head.sealDT.toISOString())}; expect it next time: ${head.no}:${head.hash}`]
      : []),
    `  Public key ${publicKey}`,
  ]
}

export const verifyHistoryCommand: Command = {
  args: [],
  options: ['public-key', 'expect'],
  async run(values) {
    const env = readEnv(process.env)
    const given = expectedOf(values.expect)
    const givenKey = values['public-key']
    if (givenKey !== undefined && !isPublicKeyText(givenKey)) throw usageError(`--public-key takes ${PUBLIC_KEY_FORM}.`)
    const verified = await withDatabase(env, async (db) => {
      const publicKey =
        givenKey ?? (await findSealKey(db.read, await findKeys(env, ', or name --public-key'))).publicKey
      const kept = await findKept(db, env, publicKey)
      if ('fault' in kept) throw altered(kept)
      const expected = [...given, ...kept]
      const since = await findKeptSince(db.read, publicKey, keptSince(env))
      const {
        finding,
        through: _,
        isMore: __,
        ...result
      } = await verifyHistory(db.read, {
        publicKey,
        keptSince: since,
        expected,
      })
      if (finding !== undefined) throw altered(finding)
      return { ...result, publicKey, isProven: result.head !== undefined && expected.length > 0 }
    })
    return { document: verified, lines: linesOf(verified), status: verified.isProven ? 0 : UNPROVEN }
  },
}

export const acceptHistoryCommand: Command = {
  args: [],
  options: [],
  async run() {
    const env = readEnv(process.env)
    return withDatabase(env, async (db) => {
      const key = await findKeys(env)
      const { head, former } = await changeAsOperator(db, async (tx) => {
        const { log, ...result } = await acceptHistory(tx, env, key, systemClock.now())
        return { result, log: [log] }
      })
      await keepHeadFile(env, head, await findSealKey(db.read, key))
      const lines = [
        `The history is accepted: sealing continues after seal ${head.no}.`,
        `  Now        ${head.no}:${head.hash}`,
        `  Before     ${former ?? 'this node kept no seal'}`,
        'Earlier rows are no longer proven. Run it on each node that refuses to seal.',
      ]
      return { document: { no: head.no, hash: head.hash, former }, lines }
    })
  },
}
