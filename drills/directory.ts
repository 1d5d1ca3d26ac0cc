// Active Directory, as Samba serves it: 1,200 people are read over LDAPS and StartTLS, in more than one page of 1,000.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RefusedSource } from '@acc/server/src/domains/userImports/source.ts'
import { type Directory, readDirectory } from '@acc/server/src/domains/userSync/userSync.directory.ts'
import { type Authority, makeAuthority, makeCertificate } from '@acc/server/test/certificates.ts'
import { Attribute, Change, Client } from 'ldapts'
import { check, note } from './checks.ts'
import { type Drill, findPrograms, until } from './drill.ts'

const COUNT = 1_200
const DOMAIN = 'DC=corp,DC=example'
const PEOPLE = `OU=People,${DOMAIN}`
const PASSWORD = 'Adm1n!Passw0rd'
/** Of userAccountControl: a normal account without a required password, and the same disabled. */
const NORMAL = '544'
const DISABLED = '546'
/** Seconds that Samba may take to start. */
const START = 60

/** Makes a domain in a folder, which answers LDAP on loopback and nothing else. */
function provision(root: string, tool: string): { config: string; authority: Authority } {
  const folder = join(root, 'dc')
  const only = ['--option=interfaces=lo', '--option=bind interfaces only=yes']
  const domain = ['--realm=CORP.EXAMPLE', '--domain=CORP', '--host-name=dc1', '--host-ip=127.0.0.1']
  const options = ['--server-role=dc', '--dns-backend=NONE', `--adminpass=${PASSWORD}`, `--targetdir=${folder}`]
  const { status, stderr } = spawnSync(tool, ['domain', 'provision', ...domain, ...options, ...only])
  if (status !== 0) throw new Error(`the domain was not made: ${stderr}`)
  const authority = makeAuthority(root, 'authority')
  const { certificateFile, keyFile } = makeCertificate(authority, 'server', 'DNS:localhost')
  const sockets = join(root, 'sockets')
  mkdirSync(sockets)
  const added = [
    `tls certfile = ${certificateFile}`,
    `tls keyfile = ${keyFile}`,
    `tls cafile = ${join(root, 'authority.pem')}`,
    `pid directory = ${root}`,
    `ncalrpc dir = ${join(sockets, 'ncalrpc')}`,
    `winbindd socket directory = ${join(sockets, 'winbindd')}`,
  ]
  const config = join(folder, 'etc', 'smb.conf')
  const text = readFileSync(config, 'utf8')
    .replace('[global]', ['[global]', ...added].join('\n\t'))
    .replace(/server services = .*/, 'server services = ldap')
    .replace('logging = file', 'logging = stdout')
  writeFileSync(config, text)
  return { config, authority }
}

const replace = (type: string, value: string) =>
  new Change({ operation: 'replace', modification: new Attribute({ type, values: [value] }) })

async function fill(root: Client): Promise<void> {
  for (const unit of [PEOPLE, `OU=영업,${PEOPLE}`, `OU=Team 1,OU=영업,${PEOPLE}`, `OU=East,${PEOPLE}`])
    await root.add(unit, { objectClass: 'organizationalUnit' })
  const units = [`OU=Team 1,OU=영업,${PEOPLE}`, `OU=East,${PEOPLE}`]
  for (let at = 0; at < COUNT; at++)
    await root.add(`CN=사람 ${at},${units[at % 2]}`, {
      objectClass: 'user',
      sAMAccountName: `Person${at}`,
      displayName: `사람 ${at}`,
      mail: `person${at}@corp.example`,
      userAccountControl: NORMAL,
    })
}

/** Reads the directory, and returns the source or why it is refused. */
async function read(directory: Directory) {
  const start = performance.now()
  const source = await readDirectory(directory, 'base').catch((error: RefusedSource) => error.refusal)
  if ('rows' in source) note(`${source.rows.length} people in ${((performance.now() - start) / 1000).toFixed(1)} s`)
  return 'rows' in source ? source : { ...source, rows: [], units: [] }
}

export async function drillDirectory({ root, run }: Drill): Promise<void> {
  const { samba, 'samba-tool': tool } = findPrograms('samba', 'samba-tool')
  const { config, authority } = provision(root, tool)
  run('samba', samba, ['-F', '--no-process-group', '-s', config])
  const client = new Client({ url: 'ldaps://localhost', tlsOptions: { ca: authority.pem } })
  const bindDn = 'Administrator@CORP.EXAMPLE'
  await until('Samba answers', () => client.bind(bindDn, PASSWORD).then(() => true), START)
  await fill(client)
  const directory: Directory = {
    serverAddress: 'localhost',
    serverPort: 0,
    encrypt: 1,
    authorities: authority.pem,
    bindDn,
    bindPw: PASSWORD,
    base: PEOPLE,
    filter: '(&(objectCategory=person)(objectClass=user)(!(userAccountControl:1.2.840.113556.1.4.803:=2)))',
    groupBy: 1,
    attributes: {
      key: 'objectGUID',
      id: 'sAMAccountName',
      name: 'displayName',
      email: 'mail',
      group: '',
      expireDT: 'accountExpires',
    },
  }
  const first = await read(directory)
  check(first.rows.length === COUNT, `LDAPS: ${first.rows.length} of ${COUNT} people`)
  const startTls = await read({ ...directory, encrypt: 2 })
  check('hash' in startTls && 'hash' in first && startTls.hash === first.hash, 'StartTLS: the same people')
  const wrong = await read({ ...directory, bindPw: 'wrong' })
  check('reason' in wrong && wrong.reason === 9, 'a wrong password is refused')
  const nobody = await read({ ...directory, bindDn: '', bindPw: '' })
  check('reason' in nobody && nobody.reason === 11, 'an anonymous search is refused')
  const whole = await read({ ...directory, base: DOMAIN, filter: '(sAMAccountName=Person0)' })
  check(whole.rows.length === 1, 'the base may be the domain: its referrals are not followed')
  await checkChanges(client, directory, first)
}

async function checkChanges(client: Client, directory: Directory, before: Awaited<ReturnType<typeof read>>) {
  const personIn = ({ rows }: typeof before, id: string) => rows.find(({ values }) => values.id === id)?.values
  await client.modifyDN(`OU=Team 1,OU=영업,${PEOPLE}`, `OU=Platform,OU=East,${PEOPLE}`)
  await client.modify(`CN=사람 1,OU=East,${PEOPLE}`, [replace('userAccountControl', DISABLED)])
  // 2027-02-01T00:00Z as a file time.
  const fileTime = String((BigInt(Date.UTC(2027, 1, 1)) + 11_644_473_600_000n) * 10_000n)
  await client.modify(`CN=사람 3,OU=East,${PEOPLE}`, [replace('accountExpires', fileTime)])
  const after = await read(directory)
  const [one, other] = [personIn(before, 'person0'), personIn(after, 'person0')]
  check(one?.key !== undefined && one.key === other?.key && one.group === other.group, 'a moved OU keeps its key')
  const unit = after.units?.find(({ key }) => key === other?.group)
  check(unit?.name === 'Platform', `the moved OU is now ${unit?.name}`)
  check(personIn(after, 'person1') === undefined, 'a disabled account is missing')
  const day = personIn(after, 'person3')?.expireDT ?? ''
  check(/^2027-0(1-31|2-01)$/.test(day), `accountExpires is the day ${day}`)
  check(personIn(after, 'person5')?.expireDT === '-', 'an account without an end has none')
  await client.unbind()
}
