// A real Active Directory for tests: Debian's samba-ad-dc on a loopback address of its own, in a temporary folder.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Attribute, Change, Client } from 'ldapts'
import { type Authority, makeAuthority, makeCertificate } from './certificates.ts'

const SAMBA = '/usr/sbin/samba'
const SAMBA_TOOL = '/usr/bin/samba-tool'
const SETUP = '/usr/share/samba/setup/provision.ldif'
export const DOMAIN = 'DC=corp,DC=example'
export const PEOPLE = `OU=People,${DOMAIN}`
/** The account that searches: a domain user without any other right. */
export const READER = { dn: `CN=acc-reader,CN=Users,${DOMAIN}`, name: 'acc-reader@CORP.EXAMPLE', password: 'Read.0nly' }
const ROOT = { name: 'Administrator@CORP.EXAMPLE', password: 'Adm1n!Passw0rd' }

/** The units below `OU=People`; each has the people whose number has this remainder. */
const UNITS = ['OU=Team 1,OU=영업', 'OU=East'] as const
/** More than a page of a search. */
export const COUNT = 520

/** Of userAccountControl: a normal account, and the same disabled. Both without a required password. */
export const Control = { NORMAL: '544', DISABLED: '546' }

/** Milliseconds until Samba answers. */
const PATIENCE = 60_000

export const dnOf = (at: number) => `CN=사람 ${at},${UNITS[at % UNITS.length]},${PEOPLE}`
/** The attributes of a person. */
export const personOf = (at: number) => ({
  objectClass: 'user',
  sAMAccountName: `Person${at}`,
  displayName: `사람 ${at}`,
  mail: `person${at}@corp.example`,
  userAccountControl: Control.NORMAL,
})

const PACKAGES: Record<string, string> = {
  [SAMBA]: 'samba-ad-dc',
  [SAMBA_TOOL]: 'samba-ad-dc',
  [SETUP]: 'samba-ad-provision',
}

/** Returns why this machine cannot run Samba; undefined if it can. */
export function whyNoSamba(): string | undefined {
  const missing = Object.keys(PACKAGES).filter((file) => !existsSync(file))
  const names = [...new Set(missing.map((file) => PACKAGES[file]))]
  if (names.length > 0) return `${names.join(' and ')} is not installed: \`npm test\` as root installs it.`
  return process.getuid?.() === 0 ? undefined : 'only root opens the ports 389 and 636 of a domain controller.'
}

export const replace = (type: string, value: string | Buffer): Change =>
  new Change({ operation: 'replace', modification: new Attribute({ type, values: [value] as string[] }) })

/** Writes a password as Active Directory takes it. */
export const passwordOf = (text: string): Change => replace('unicodePwd', Buffer.from(`"${text}"`, 'utf16le'))

/** Runs samba-tool. Returns its output. */
function tool(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(SAMBA_TOOL, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`samba-tool ${args.slice(0, 2).join(' ')} failed: ${stderr}`)
  return stdout
}

/** Makes a domain whose controller answers LDAP and nothing else. Returns its configuration file. */
function provision(root: string, address: string, authority: Authority): string {
  const folder = join(root, 'dc')
  // Nothing needs to survive a crash.
  const options = [`interfaces=${address}/8`, 'bind interfaces only=yes', 'ldb:nosync=yes']
  const names = ['--realm=CORP.EXAMPLE', '--domain=CORP', '--host-name=dc1', `--host-ip=${address}`]
  const server = ['--server-role=dc', '--dns-backend=NONE', `--adminpass=${ROOT.password}`, `--targetdir=${folder}`]
  tool('domain', 'provision', ...names, ...server, ...options.map((option) => `--option=${option}`))
  const { certificateFile, keyFile } = makeCertificate(authority, 'server', `IP:${address}`)
  const sockets = join(root, 'sockets')
  mkdirSync(sockets)
  const added = [
    'ldb:nosync = yes',
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
  writeFileSync(config, text)
  return config
}

async function fill(root: Client): Promise<void> {
  for (const unit of [PEOPLE, `OU=영업,${PEOPLE}`, ...UNITS.map((name) => `${name},${PEOPLE}`)])
    await root.add(unit, { objectClass: 'organizationalUnit' })
  for (let at = 0; at < COUNT; at++) await root.add(dnOf(at), personOf(at))
  await root.add(READER.dn, { objectClass: 'user', sAMAccountName: 'acc-reader', userAccountControl: Control.NORMAL })
  await root.modify(READER.dn, [passwordOf(READER.password)])
}

/** Signs in as soon as Samba answers. */
async function bindOnce(root: Client): Promise<void> {
  for (const end = performance.now() + PATIENCE; ; await wait(50)) {
    try {
      return await root.bind(ROOT.name, ROOT.password)
    } catch (error) {
      if (performance.now() > end) throw error
    }
  }
}

const DESCRIPTOR = 'nTSecurityDescriptor'

/** Returns what denies rights to the reader. */
function denyBy(root: Client, config: string): Samba['deny'] {
  const shown = tool('user', 'show', 'acc-reader', '--attributes=objectSid', '-s', config)
  const sid = /^objectSid: (\S+)$/m.exec(shown)?.[1] ?? ''
  return async (dn, rights) => {
    const attributes = [DESCRIPTOR]
    const options = { scope: 'base', attributes, explicitBufferAttributes: attributes } as const
    const [entry] = (await root.search(dn, options)).searchEntries
    tool('dsacl', 'set', `--objectdn=${dn}`, `--sddl=(D;CI;${rights};;;${sid})`, '-s', config)
    return () => root.modify(dn, replace(DESCRIPTOR, entry?.[DESCRIPTOR] as Buffer))
  }
}

export type Samba = {
  authority: Authority
  address: string
  /** A connection that may change everything. */
  root: Client
  /** Denies the reader rights on an entry and all below it: `deny(PEOPLE, 'LCRP')`. Returns what restores them. */
  deny(dn: string, rights: string): Promise<() => Promise<void>>
  stop(): Promise<void>
}

/** Starts a domain controller that the caller stops. */
export async function startSamba(): Promise<Samba> {
  const folder = mkdtempSync(join(tmpdir(), 'acc-samba-'))
  // Its ports are fixed, so that each one has an address of its own.
  const address = ['127', ...randomBytes(3)].join('.')
  const authority = makeAuthority(folder, 'authority')
  const config = provision(folder, address, authority)
  // It ends with its input, also by the death of the tests' process.
  const child = spawn(SAMBA, ['-i', '-M', 'single', '-s', config], { stdio: ['pipe', 'ignore', 'ignore'] })
  const root = new Client({ url: `ldaps://${address}`, tlsOptions: { ca: authority.pem } })
  const stop = async () => {
    await root.unbind()
    const ended = child.exitCode === null ? once(child, 'exit') : undefined
    child.stdin.end()
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  await bindOnce(root)
  await fill(root)
  return { authority, address, root, stop, deny: denyBy(root, config) }
}
