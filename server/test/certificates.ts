// Certificates for tests, made by openssl: authorities of their own, worth nothing anywhere else.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

function openssl(...args: string[]): void {
  const { status, stderr, error } = spawnSync('openssl', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`openssl ${args[0]} failed: ${error?.message ?? stderr}`)
}

export type Authority = { folder: string; pem: string }
export type Certificate = { certificateFile: string; keyFile: string }

/** Makes an authority in a folder. */
export function makeAuthority(folder: string, name: string): Authority {
  const [file, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)]
  openssl('req', '-x509', ...KEY, '-keyout', key, '-out', file, '-days', '2', '-subj', `/CN=${name}`)
  writeFileSync(join(folder, 'authority.pem'), readFileSync(file))
  writeFileSync(join(folder, 'authority.key'), readFileSync(key))
  return { folder, pem: readFileSync(file, 'utf8') }
}

function makeRequest(file: (ending: string) => string, name: string, names: readonly string[]): void {
  openssl('req', ...KEY, '-keyout', file('key'), '-out', file('csr'), '-subj', `/CN=${name}`)
  writeFileSync(file('ext'), `subjectAltName=${names.join(',')}\n`)
}

/** Makes a server's certificate for names such as `DNS:localhost` or `IP:127.0.0.1`. */
export function makeCertificate({ folder }: Authority, name: string, ...names: string[]): Certificate {
  const file = (ending: string) => join(folder, `${name}.${ending}`)
  makeRequest(file, name, names)
  const authority = ['-CA', join(folder, 'authority.pem'), '-CAkey', join(folder, 'authority.key')]
  const options = ['-CAcreateserial', '-days', '2', '-extfile', file('ext')]
  openssl('x509', '-req', '-in', file('csr'), ...authority, ...options, '-out', file('pem'))
  return { certificateFile: file('pem'), keyFile: file('key') }
}

const SIGNER = `[ca]
default_ca = signer
[signer]
database = FOLDER/database
serial = FOLDER/serial
new_certs_dir = FOLDER
default_md = sha256
policy = any
[any]
commonName = supplied
`

/** Makes a certificate for localhost that is valid from the first day of one year to that of another. */
export function makeDatedCertificate({ folder }: Authority, name: string, from: number, to: number): Certificate {
  const file = (ending: string) => join(folder, `${name}.${ending}`)
  makeRequest(file, name, ['DNS:localhost'])
  writeFileSync(join(folder, 'database'), '')
  writeFileSync(file('cnf'), SIGNER.replaceAll('FOLDER', folder))
  const authority = ['-cert', join(folder, 'authority.pem'), '-keyfile', join(folder, 'authority.key'), '-rand_serial']
  const days = ['-startdate', `${from}0101000000Z`, '-enddate', `${to}0101000000Z`]
  const options = ['-batch', '-notext', '-config', file('cnf'), '-extfile', file('ext')]
  openssl('ca', ...options, ...authority, ...days, '-in', file('csr'), '-out', file('pem'))
  return { certificateFile: file('pem'), keyFile: file('key') }
}
