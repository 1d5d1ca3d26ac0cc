// A real OpenLDAP for tests: Debian's slapd on loopback ports, in a temporary folder. 1,100 people in nested units.
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'ldapts'
import { afterAll } from 'vitest'
import { type Authority, makeAuthority, makeCertificate } from './certificates.ts'

const SLAPD = '/usr/sbin/slapd'
export const SUFFIX = 'dc=example,dc=com'
export const PEOPLE = `ou=people,${SUFFIX}`
export const READER = { dn: `cn=acc,ou=system,${SUFFIX}`, password: 'read-only-1' }
const ROOT = { dn: `cn=root,${SUFFIX}`, password: 'root-1' }
export const READERS = `cn=readers,ou=system,${SUFFIX}`

/** The units below `ou=people`; each has the people whose number has this remainder. */
export const UNITS = [
  'ou=East',
  'ou=Team 1,ou=영업본부',
  'ou=Team 2,ou=영업본부',
  'ou=Research\\, Development',
] as const
/** More than two pages of a search. */
export const COUNT = 1_100

/** Milliseconds until slapd listens. */
const PATIENCE = 10_000

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
    `ou=영업본부,${PEOPLE}`,
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

/** Ends the program once its input is closed, also by the death of the tests' process. */
const WITH_INPUT = 'exec 3<&0; "$@" 3<&- & pid=$!; (cat <&3 >/dev/null; kill $pid) 2>/dev/null & wait $pid'
const start = (folder: string, urls: string): ChildProcessByStdio<Writable, null, Readable> => {
  const args = [SLAPD, '-f', join(folder, 'slapd.conf'), '-h', urls, '-d', 'stats']
  return spawn('sh', ['-c', WITH_INPUT, 'sh', ...args], { stdio: ['pipe', 'ignore', 'pipe'] })
}

async function untilStarted({ stderr }: { stderr: Readable }): Promise<void> {
  const lines: string[] = []
  for await (const line of createInterface({ input: stderr })) {
    lines.push(line)
    if (!line.includes('slapd starting')) continue
    stderr.resume()
    return
  }
  throw new Error(`slapd did not start:\n${lines.join('\n')}`)
}

/** Signs in as soon as slapd listens, which is a moment after it says that it starts. */
async function bindOnce(root: Client): Promise<void> {
  for (const end = performance.now() + PATIENCE; ; await wait(10)) {
    try {
      return await root.bind(ROOT.dn, ROOT.password)
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ECONNREFUSED' || performance.now() > end) throw error
    }
  }
}

export type Slapd = {
  authority: Authority
  folder: string
  /** Ports of LDAP, which offers StartTLS, and of LDAPS. */
  port: number
  tlsPort: number
  /** A connection that may change everything. */
  root: Client
  /** Ends it before the end of the file. */
  stop(): Promise<void>
}

/** Starts a directory, and stops it after the last test of the file. `hasTls: false`: it refuses StartTLS. */
export async function startSlapd(options: { hasTls?: boolean } = {}): Promise<Slapd> {
  const slapd = await openSlapd(options)
  afterAll(slapd.stop)
  return slapd
}

/** Starts a directory that the caller stops. */
export async function openSlapd({ hasTls = true } = {}): Promise<Slapd> {
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
  const root = new Client({ url: `ldap://127.0.0.1:${port}` })
  const child = start(folder, urls.join(' '))
  const stop = async () => {
    await root.unbind()
    if (child.exitCode === null) {
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  }
  await untilStarted(child)
  await bindOnce(root)
  return { authority, folder, port, tlsPort, root, stop }
}
