// A real OpenLDAP for tests: Debian's slapd on loopback ports, in a temporary folder, with 300 people in nested units.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'ldapts'
import { type Authority, makeAuthority, makeCertificate } from './certificates.ts'

const SLAPD = '/usr/sbin/slapd'
export const SUFFIX = 'dc=example,dc=com'
export const PEOPLE = `ou=people,${SUFFIX}`
export const READER = { dn: `cn=acc,ou=system,${SUFFIX}`, password: 'read-only-1' }
const ROOT = { dn: `cn=root,${SUFFIX}`, password: 'root-1' }
export const READERS = `cn=readers,ou=system,${SUFFIX}`

/** The units below `ou=people`; each has the people whose number has this remainder. */
export const UNITS = ['ou=East', 'ou=Team 1,ou=영업', 'ou=Team 2,ou=영업', 'ou=Research\\, Development'] as const
export const COUNT = 300

const entry = (dn: string, attributes: Record<string, string | string[]>) => {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const lines = Object.entries(attributes).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}:: ${base64(value)}`),
  )
  return [`dn:: ${base64(dn)}`, ...lines, ''].join('\n')
}

export const dnOf = (at: number) => `uid=person${at},${UNITS[at % UNITS.length]},${PEOPLE}`
/** The attributes of a person. */
export const personOf = (at: number) => ({
  objectClass: ['inetOrgPerson'],
  uid: `person${at}`,
  cn: `사람 ${at}`,
  sn: '사람',
  mail: [`person${at}@example.com`, `second${at}@example.com`],
  employeeNumber: `E${String(at).padStart(5, '0')}`,
})

function ldif(): string {
  const unit = (dn: string) => entry(dn, { objectClass: 'organizationalUnit' })
  const secret = (dn: string, { password }: { password: string }) =>
    entry(dn, { objectClass: ['applicationProcess', 'simpleSecurityObject'], userPassword: password })
  const units = [
    `ou=system,${SUFFIX}`,
    PEOPLE,
    `ou=empty,${SUFFIX}`,
    `ou=영업,${PEOPLE}`,
    ...UNITS.map((name) => `${name},${PEOPLE}`),
  ]
  return [
    entry(SUFFIX, { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' }),
    ...units.map(unit),
    secret(READER.dn, READER),
    entry(READERS, { objectClass: 'groupOfNames', member: [READER.dn, ROOT.dn] }),
    ...Array.from({ length: COUNT }, (_, at) => entry(dnOf(at), personOf(at))),
  ].join('\n')
}

function configOf(folder: string, tls: string[]): string {
  const schemas = ['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`)
  return [
    ...schemas,
    'modulepath /usr/lib/ldap',
    'moduleload back_mdb',
    ...tls,
    'database mdb',
    'maxsize 104857600',
    `suffix "${SUFFIX}"`,
    `rootdn "${ROOT.dn}"`,
    `rootpw ${ROOT.password}`,
    `directory ${join(folder, 'data')}`,
    // As many directories do: a search without pages returns 200 entries at most.
    'sizelimit size.soft=200 size.hard=200 size.prtotal=unlimited size.pr=500',
    'access to attrs=userPassword by anonymous auth by * none',
    `access to * by group.exact="${READERS}" read by * none`,
    '',
  ].join('\n')
}

/** Returns ports that are free now. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  const ports: number[] = []
  for (const server of servers) {
    if (!server.listening) await once(server, 'listening')
    ports.push((server.address() as { port: number }).port)
  }
  for (const server of servers) server.close()
  return ports
}

function requireSlapd(): void {
  if (existsSync(SLAPD)) return
  throw new Error(
    "Debian's package slapd is missing: `apt-get install slapd`, or `npm test` as root, which installs it.",
  )
}

async function start(folder: string, urls: string): Promise<ChildProcess> {
  const child = spawn(SLAPD, ['-f', join(folder, 'slapd.conf'), '-h', urls, '-d', 'stats'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stderr as NonNullable<typeof child.stderr> })) {
    lines.push(line)
    if (!line.includes('slapd starting')) continue
    child.stderr?.resume()
    return child
  }
  throw new Error(`slapd did not start:\n${lines.join('\n')}`)
}

export type Slapd = {
  authority: Authority
  folder: string
  /** Ports of LDAP, which offers StartTLS, and of LDAPS. */
  port: number
  tlsPort: number
  /** A connection that may change everything. */
  root: Client
  stop(): Promise<void>
}

/** Starts a directory. `hasTls: false`: it refuses StartTLS. */
export async function startSlapd({ hasTls = true } = {}): Promise<Slapd> {
  requireSlapd()
  const folder = mkdtempSync(join(tmpdir(), 'acc-slapd-'))
  mkdirSync(join(folder, 'data'))
  const authority = makeAuthority(folder, `authority-${randomUUID()}`)
  const server = makeCertificate(authority, 'server', 'DNS:localhost')
  const tls = [`TLSCertificateFile ${server.certificateFile}`, `TLSCertificateKeyFile ${server.keyFile}`]
  writeFileSync(join(folder, 'slapd.conf'), configOf(folder, hasTls ? tls : []))
  writeFileSync(join(folder, 'people.ldif'), ldif())
  const filled = spawnSync(SLAPD, [
    '-T',
    'add',
    '-q',
    '-f',
    join(folder, 'slapd.conf'),
    '-l',
    join(folder, 'people.ldif'),
  ])
  if (filled.status !== 0) throw new Error(`slapadd failed: ${filled.stderr}`)
  const [port = 0, tlsPort = 0] = await freePorts(2)
  const urls = [`ldap://127.0.0.1:${port}`, ...(hasTls ? [`ldaps://127.0.0.1:${tlsPort}`] : [])]
  const child = await start(folder, urls.join(' '))
  const root = new Client({ url: `ldap://127.0.0.1:${port}` })
  await root.bind(ROOT.dn, ROOT.password)
  return {
    authority,
    folder,
    port,
    tlsPort,
    root,
    stop: async () => {
      await root.unbind()
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
