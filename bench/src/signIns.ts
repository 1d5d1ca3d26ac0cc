// Sign-ins beside the bare rate of hashing, and what they do to other calls meanwhile.
import { join } from 'node:path'
import { findSecretKey } from '@acc/server/src/crypto/secretKey.ts'
import { type Connection, openDatabase } from '@acc/server/src/db/open.ts'
import { sealSecret } from '@acc/server/src/domains/otp/otp.secrets.ts'
import { TOTP } from 'totp-generator'
import { pace, type Saturation, saturate, sendEach } from './load.ts'
import { idOf, PASSWORD, withPassword, withTotp } from './people.ts'
import type { Limit, Product } from './processes.ts'
import { failures, median, ms, perSecond, type Row, share } from './report.ts'
import { ROUNDS, SECONDS } from './sizes.ts'

const CONNECTIONS = 16
/** Other calls a second beside the sign-ins. */
const OTHERS = 50
const bodies = withPassword.map((idx) => JSON.stringify({ id: idOf(idx), pw: PASSWORD }))
/** The key of every authenticator, in base32. */
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const headers = { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' }

export async function measureSignIns(product: Product, limit: Limit): Promise<Row[]> {
  const common = { connections: CONNECTIONS, seconds: SECONDS }
  const signIns = { url: `${product.url}/Account/Login`, method: 'POST', headers, bodies, ...common } as const
  const hashes = []
  const signedIn = []
  for (let round = 0; round < ROUNDS; round++) {
    hashes.push(await saturate({ url: `${limit.url}/signIn`, ...common }))
    signedIn.push(await saturate(signIns))
  }
  const others = { url: `${product.url}/Configs`, connections: CONNECTIONS, seconds: 2 * SECONDS }
  const [, times] = await Promise.all([saturate({ ...signIns, seconds: 3 * SECONDS }), pace(others, OTHERS)])
  const [ours, theirs] = [median(signedIn.map(({ rps }) => rps)), median(hashes.map(({ rps }) => rps))]
  const failed = signedIn.reduce((sum, one) => sum + one.failed, times.failed)
  return [
    {
      work: `sign-in (${CONNECTIONS} connections)${failures(failed)}`,
      product: `${perSecond(ours)}, p99 ${ms(median(signedIn.map(({ p99 }) => p99)))}`,
      limit: `${perSecond(theirs)} hashes`,
      reached: share(ours, theirs),
      wanted: '>= 70 %',
    },
    {
      work: `other calls meanwhile (GET /Configs, ${OTHERS}/s)`,
      product: `p50 ${ms(times.p50)}, p99 ${ms(times.p99)}`,
      wanted: 'p99 < 50 ms',
    },
  ]
}

/** Gives accounts an authenticator with the same key, whose last code was used long ago. */
async function giveAuthenticators(connection: Connection, dataDir: string): Promise<void> {
  const key = await findSecretKey({ file: join(dataDir, 'secret.key') })
  if (key === undefined) throw new Error(`no secret key in ${dataDir}`)
  const db = openDatabase(connection, { warn: () => undefined }, 2)
  for (const idx of withTotp) {
    const otpSecret = sealSecret(key, idx, 'otpSecret', SECRET)
    await db.write.updateTable('users').set({ otpSecret, otpStep: null, useOtp: 1 }).where('idx', '=', idx).execute()
  }
  await db.close()
}

/** Sign-ins with password and code of an authenticator, each account once. */
export async function measureTotp(
  product: Product,
  limit: Limit,
  connection: Connection,
  dataDir: string,
): Promise<Row[]> {
  await giveAuthenticators(connection, dataDir)
  const each = Math.floor(withTotp.length / ROUNDS)
  const [hashes, signedIn] = [[] as number[], [] as Saturation[]]
  for (let round = 0; round < ROUNDS; round++) {
    hashes.push((await saturate({ url: `${limit.url}/signIn`, connections: CONNECTIONS, seconds: SECONDS })).rps)
    const { otp } = await TOTP.generate(SECRET)
    const calls = withTotp
      .slice(round * each, (round + 1) * each)
      .map((idx) => JSON.stringify({ id: idOf(idx), pw: PASSWORD, otp }))
    const url = `${product.url}/Account/Login`
    signedIn.push(await sendEach({ url, headers, bodies: calls, connections: CONNECTIONS, seconds: 0 }))
  }
  const [ours, theirs] = [median(signedIn.map(({ rps }) => rps)), median(hashes)]
  return [
    {
      work: `sign-in with an authenticator (${CONNECTIONS} connections)${failures(signedIn.reduce((sum, one) => sum + one.failed, 0))}`,
      product: `${perSecond(ours)}, p99 ${ms(median(signedIn.map(({ p99 }) => p99)))}`,
      limit: `${perSecond(theirs)} hashes`,
      reached: share(ours, theirs),
      wanted: '>= 70 %',
    },
  ]
}

/** Somebody asks for IDs of invented people as fast as they are refused; other people's calls go on. */
export async function measureFindIdFlood(product: Product): Promise<Row[]> {
  const flood = Array.from({ length: 1000 }, (_, n) =>
    JSON.stringify({ name: `홍길동${n}`, email: `nobody${n}@example.com` }),
  )
  const load = { url: `${product.url}/Account/FindID`, method: 'POST', headers, bodies: flood } as const
  const others = { url: `${product.url}/Configs`, connections: CONNECTIONS, seconds: 2 * SECONDS }
  const [refused, times] = await Promise.all([
    saturate({ ...load, connections: CONNECTIONS, seconds: 3 * SECONDS }),
    pace(others, OTHERS),
  ])
  return [
    {
      work: `find-ID flood (${CONNECTIONS} connections), other calls meanwhile (GET /Configs, ${OTHERS}/s)${failures(times.failed)}`,
      product: `${perSecond(refused.rps)} refused; others p50 ${ms(times.p50)}, p99 ${ms(times.p99)}`,
      wanted: 'p99 < 50 ms',
    },
  ]
}
