import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { BadSetting, readEnv } from './env.ts'

const folder = mkdtempSync(join(tmpdir(), 'acc-env-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const KEY = Buffer.alloc(32, 0xff).toString('base64')

/** A console's configuration as a file. */
function fileWith(text: string): string {
  const file = join(folder, 'console.json')
  writeFileSync(file, text)
  return file
}

test('without settings everything has its default, and empty ones count as not set', () => {
  const env = readEnv({ HOME: '/root', ACC_PORT: '', ACC_MISSPELT: '' })
  expect(env).toMatchObject({ host: '127.0.0.1', port: 8080, publicUrl: 'http://127.0.0.1:8080', sessionMinutes: 30 })
  expect(env.runtime).toMatchObject({ frontRoute: '/acc', show: { approve: { import: false, export: true } } })
})

test('variables of the reference client are accepted next to the settings', () => {
  expect(readEnv({ ACC_SERVER: 'http://127.0.0.1:1', ACC_METRICS_TOKEN: 'x'.repeat(16) }).metricsToken).toHaveLength(16)
})

test.each(['10.0.0.53', '10.0.0.53:5353', '2001:db8::53', '[2001:db8::53]:53', '10.0.0.53, 10.0.0.54'])(
  'DNS servers %s',
  (text) => {
    expect(readEnv({ ACC_DNS_SERVERS: text }).dnsServers).toEqual(text.split(', '))
  },
)

test.each(['dns.example.com', '10.0.0.53:', '10.0.0.53:0', '10.0.0.53:65536', '10.0.0', '[10.0.0.53', ','])(
  '%s is no DNS server',
  (text) => {
    expect(() => readEnv({ ACC_DNS_SERVERS: text })).toThrow(/^ACC_DNS_SERVERS: IP addresses/)
  },
)

test.each([
  ['ACC_PROT', 'ACC_PROT: there is no such setting, but there is ACC_PORT'],
  ['ACC_DATADIR', 'ACC_DATADIR: there is no such setting, but there is ACC_DATA_DIR'],
  ['ACC_MAX_LOGIN_FAIL', 'ACC_MAX_LOGIN_FAIL: there is no such setting, but there is ACC_MAX_LOGIN_FAILS'],
  ['ACC_DATBASE_ULR', 'ACC_DATBASE_ULR: there is no such setting, but there is ACC_DATABASE_URL'],
  ['ACC_COLOUR', 'ACC_COLOUR: there is no such setting'],
  ['ACC_OIDC_ISUER', 'ACC_OIDC_ISUER: there is no such setting, but there is ACC_OIDC_ISSUER'],
])('%s is no setting, and the line says so', (name, line) => {
  expect(() => readEnv({ [name]: '/srv/acc' })).toThrow(new BadSetting(line))
})

const ISSUER = 'https://login.example.com/realms/acc'

test('single sign-on has an issuer, a client, and claims with defaults', () => {
  expect(readEnv({}).oidc).toBeUndefined()
  const settings = { ACC_OIDC_ISSUER: ISSUER, ACC_OIDC_CLIENT_ID: 'acc', ACC_OIDC_CLAIMS: 'key=oid, group=department' }
  expect(readEnv({ ...settings, ACC_OIDC_HOSTS: 'keys.example.com, token.example.com:8443' }).oidc).toEqual({
    issuer: ISSUER,
    clientId: 'acc',
    clientSecret: undefined,
    claims: { key: 'oid', id: 'preferred_username', name: 'name', email: 'email', group: 'department' },
    hosts: ['login.example.com', 'keys.example.com', 'token.example.com:8443'],
    hasLogout: false,
  })
  expect(readEnv({ ACC_OIDC_ISSUER: 'http://127.0.0.1:9000', ACC_OIDC_CLIENT_ID: 'acc' }).oidc?.clientId).toBe('acc')
  expect(readEnv({ ...settings, ACC_OIDC_LOGOUT: 'on' }).oidc?.hasLogout).toBe(true)
})

test.each([
  [{ ACC_OIDC_ISSUER: ISSUER }, 'ACC_OIDC_ISSUER: needs ACC_OIDC_CLIENT_ID'],
  [{ ACC_OIDC_CLIENT_ID: 'acc' }, 'ACC_OIDC_CLIENT_ID: needs ACC_OIDC_ISSUER'],
  [{ ACC_OIDC_LOGOUT: 'on' }, 'ACC_OIDC_LOGOUT: needs ACC_OIDC_ISSUER'],
  [{ ACC_OIDC_CLIENT_SECRET: 'secret' }, 'ACC_OIDC_CLIENT_SECRET: needs ACC_OIDC_ISSUER'],
])('%j is not enough for single sign-on', (settings, line) => {
  expect(() => readEnv(settings)).toThrow(new BadSetting(line))
})

test.each([
  ['ACC_OIDC_ISSUER', 'http://login.example.com'],
  ['ACC_OIDC_ISSUER', 'login.example.com'],
  ['ACC_OIDC_ISSUER', 'https://login.example.com/?tenant=1'],
  ['ACC_OIDC_ISSUER', 'https://user:pw@login.example.com'],
  ['ACC_OIDC_ISSUER', 'file:///etc/passwd'],
  ['ACC_OIDC_CLAIMS', 'sub'],
  ['ACC_OIDC_CLAIMS', 'isAdmin=admin'],
  ['ACC_OIDC_CLAIMS', 'key='],
  ['ACC_OIDC_LOGOUT', 'yes'],
  ['ACC_OIDC_HOSTS', 'https://keys.example.com'],
  ['ACC_HOST', 'acc example'],
  ['ACC_PORT', '65536'],
  ['ACC_PORT', '80.5'],
  ['ACC_PORT', ' '],
  ['ACC_PUBLIC_URL', 'acc.example.com'],
  ['ACC_CONSOLE_ORIGINS', 'http://console.example.com'],
  ['ACC_CONSOLE_ORIGINS', 'https://console.example.com/acc'],
  ['ACC_CONSOLE_ORIGINS', 'console.example.com'],
  ['ACC_CONSOLE_ORIGINS', 'https://console.example.com'],
  ['ACC_PUBLIC_URL', 'ftp://acc.example.com'],
  ['ACC_PUBLIC_URL', 'https://acc.example.com/console'],
  ['ACC_PUBLIC_URL', 'https://acc.example.com/?a=1'],
  ['ACC_PUBLIC_URL', 'https://user:pw@acc.example.com'],
  ['ACC_TRUST_PROXY', 'proxy.example.com'],
  ['ACC_TRUST_PROXY', '10.0.0.0/33'],
  ['ACC_TRUST_PROXY', '10.0.0.0/'],
  ['ACC_TRUST_PROXY', 'fd00::/129'],
  ['ACC_TRUST_PROXY', '127.0.0.1,'],
  ['ACC_LICENSE_PUBLIC_KEY', 'x'.repeat(44)],
  ['ACC_LICENSE_PUBLIC_KEY', Buffer.alloc(31).toString('base64')],
  ['ACC_DATABASE_URL', 'mysql://x/y'],
  ['ACC_DATABASE_URL', 'db.example.com'],
  ['ACC_DATABASE_URL', 'postgres://db.example.com/acc?options=-c%20statement_timeout%3D0'],
  ['ACC_DATABASE_REPLICA_URL', 'mysql://x/y'],
  ['ACC_DATABASE_REPLICA_URL', 'postgres://replica.example.com/acc'],
  ['ACC_FILES_URL', 's3://Bucket/prefix'],
  ['ACC_FILES_URL', 'https://bucket.example.com'],
  ['ACC_SECRET_KEY', 'short'],
  ['ACC_SECRET_KEY', KEY.replace('/', '-')],
  ['ACC_ADMIN_PASSWORD', 'seven77'],
  ['ACC_CONSOLE_CONFIG', '/no/such/file.json'],
  ['ACC_CONSOLE_CONFIG', folder],
  ['ACC_SESSION_MINUTES', '0'],
  ['ACC_SESSION_MINUTES', 'half an hour'],
  ['ACC_MAX_LOGIN_FAILS', '-1'],
  ['ACC_PW_CHANGE_DAYS', '0'],
  ['ACC_OTP_METHOD', 'sms'],
  ['ACC_LOG_RETENTION_DAYS', '0'],
  ['ACC_LOG_LEVEL', 'loud'],
  ['ACC_LOG_LEVEL', 'silent'],
  ['ACC_METRICS_TOKEN', 'short'],
])('%s=%s is refused in one line that names it and keeps what it holds', (name, value) => {
  const line = (() => {
    try {
      readEnv({ [name]: value })
    } catch (error) {
      return error instanceof BadSetting ? error.message : `${error}`
    }
  })()
  expect(line).toMatch(new RegExp(`^${name}: \\S.*$`))
  if (/KEY|PASSWORD|TOKEN|DATABASE/.test(name)) expect(line).not.toContain(value)
})

test.each([
  ['{', 'is not JSON'],
  ['[]', 'Invalid input: expected object, received array'],
  ['{"frontroute": "/x"}', 'frontroute: there is no such field'],
  ['{"show": {"approve": {"imports": true}}}', 'show.approve.imports: there is no such field'],
  ['{"product": {"name": "ACC"}}', 'product.name: there is no such field'],
  ['{"__proto__": {}}', '__proto__: there is no such field'],
  ['{"defaultDateRange": 0}', 'defaultDateRange: Too small'],
])("the console's configuration %s is refused: %s", (text, reason) => {
  const file = fileWith(text)
  expect(() => readEnv({ ACC_CONSOLE_CONFIG: file })).toThrow(BadSetting)
  expect(() => readEnv({ ACC_CONSOLE_CONFIG: file })).toThrow(`ACC_CONSOLE_CONFIG: ${file}`)
  expect(() => readEnv({ ACC_CONSOLE_CONFIG: file })).toThrow(reason)
})

test("the console's configuration is taken as far as it goes", () => {
  const file = fileWith('{"frontRoute": "/console", "show": {"approve": {"import": true}}}')
  expect(readEnv({ ACC_CONSOLE_CONFIG: file }).runtime).toMatchObject({
    frontRoute: '/console',
    show: { approve: { import: true, export: true }, log: true },
  })
})

test('a console of another origin needs that origin named, on https', () => {
  const config = fileWith('{"serverAddress": "https://calls.example.com/"}')
  const settings = { ACC_CONSOLE_CONFIG: config, ACC_PUBLIC_URL: 'https://console.example.com' }
  expect(() => readEnv(settings)).toThrow(
    'ACC_CONSOLE_CONFIG: serverAddress: another server needs https://console.example.com in ACC_CONSOLE_ORIGINS, here and there',
  )
  const env = readEnv({ ...settings, ACC_CONSOLE_ORIGINS: 'https://console.example.com' })
  expect(env.runtime.serverAddress).toBe('https://calls.example.com')
  expect(env.consoleOrigins).toEqual(['https://console.example.com'])
})

test('a server address that is its own counts as unset', () => {
  const config = fileWith('{"serverAddress": "http://127.0.0.1:8080/"}')
  expect(readEnv({ ACC_CONSOLE_CONFIG: config }).runtime.serverAddress).toBe('')
})

test.each(['0.0.0.0', '::'])('on all interfaces (%s) the address to open is that of this machine', (host) => {
  expect(readEnv({ ACC_HOST: host }).publicUrl).toBe('http://localhost:8080')
})

test.each([
  ['smtps://acc:p%40ss@mail.example.com?from=acc@example.com', { encrypt: 1, serverPort: 0, id: 'acc', pw: 'p@ss' }],
  ['smtp://mail.example.com:2525?from=acc@example.com', { encrypt: 2, serverPort: 2525, id: '', pw: '' }],
  ['smtp://[::1]:25?from=acc@example.com&encrypt=none', { encrypt: 0, serverPort: 25, serverAddress: '::1' }],
])('the mail service %s is read', (ACC_MAIL_URL, service) => {
  expect(readEnv({ ACC_MAIL_URL }).mailService).toMatchObject({ senderEmail: 'acc@example.com', ...service })
})

test.each([
  'mail.example.com',
  'http://mail.example.com?from=a@b.kr',
  'smtp://mail.example.com',
  'smtp://?from=a@b.kr',
])('the mail service %s is refused without repeating it', (ACC_MAIL_URL) => {
  expect(() => readEnv({ ACC_MAIL_URL })).toThrow(/^ACC_MAIL_URL: smtps:/)
})

test('syslog takes an address over TLS, port 6514 by default, and files that exist and fit', () => {
  const { syslog } = readEnv({ ACC_SYSLOG_URL: 'syslog+tls://[2001:db8::7]' })
  expect(syslog).toMatchObject({ host: '2001:db8::7', port: 6514, caFile: undefined })
  expect(readEnv({ ACC_SYSLOG_URL: 'syslog+tls://log.example.com:1234/' }).syslog?.port).toBe(1234)
  expect(readEnv({}).syslog).toBeUndefined()
  expect(readEnv({ ACC_HISTORY_DIR: '/a/../b' }).historyDir).toBe('/b')
})

test('backups are made every night in the data directory, unless the operator names another folder or none', () => {
  const dirOf = (ACC_BACKUP_DIR: string) => readEnv({ ACC_DATA_DIR: '/data', ACC_BACKUP_DIR }).backupDir
  expect(['', '/a/../b', 'none'].map(dirOf)).toEqual(['/data/backups', '/b', undefined])
})

test('the WAL of the embedded database is archived on another disk, and seven base backups are kept', () => {
  expect(readEnv({}).walArchive).toBeUndefined()
  const archive = { ACC_WAL_ARCHIVE_DIR: '/a/../b', ACC_DATA_DIR: '/data' }
  expect(readEnv(archive).walArchive).toEqual({ folder: '/b', keyFile: undefined, keep: 7 })
  const refused: [Record<string, string>, string][] = [
    [{ ACC_DATABASE_URL: 'postgres://db/acc' }, 'ACC_WAL_ARCHIVE_DIR: of the embedded database only'],
    [{ ACC_DATA_DIR: '/b' }, 'ACC_WAL_ARCHIVE_DIR: /b lies in /b'],
    [{ ACC_FILES_URL: '/' }, 'ACC_WAL_ARCHIVE_DIR: /b lies in /'],
    [{ ACC_WAL_ARCHIVE_KEEP: '0' }, 'ACC_WAL_ARCHIVE_KEEP: a whole number from 1 to 400'],
    [{ ACC_WAL_ARCHIVE_KEY: '/k', ACC_WAL_ARCHIVE_DIR: '' }, 'ACC_WAL_ARCHIVE_KEY: needs ACC_WAL_ARCHIVE_DIR'],
  ]
  for (const [settings, message] of refused) expect(() => readEnv({ ...archive, ...settings })).toThrow(message)
})

test.each([
  ['syslog://log:514', 'ACC_SYSLOG_URL: an address as syslog+tls://HOST:PORT'],
  ['syslog+tls://log/?x=1', 'ACC_SYSLOG_URL: an address'],
  ['syslog+tls://log?ca=ca.pem', 'ACC_SYSLOG_URL: an address'],
  ['syslog+tls://log?ca=/no/such', 'ACC_SYSLOG_URL: /no/such cannot be read'],
  ['syslog+tls://log?key=/etc/hosts', 'ACC_SYSLOG_URL: cert and key: one needs the other'],
  ['syslog+tls://log?key=/etc/hosts&cert=/etc/hosts', 'ACC_SYSLOG_URL: ca, cert, key: not certificates'],
])('the receiver of syslog %s is refused: %s', (ACC_SYSLOG_URL, message) => {
  expect(() => readEnv({ ACC_SYSLOG_URL })).toThrow(message)
})
