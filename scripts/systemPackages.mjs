// Programs of the system that tests need. Root installs Debian's packages where they are missing; a failure is printed,
// and the tests then name the missing package.
import { existsSync } from 'node:fs'
import { run } from './run.mjs'

const SLAPD = '/usr/sbin/slapd'
const SAMBA = '/usr/share/samba/setup/provision.ldif'
/** Debian's slapd would otherwise make a directory of its own and serve it. */
const NOT_CONFIGURED = 'echo "slapd slapd/no_configuration boolean true" | debconf-set-selections'

/** Installs packages as root with apt-get. Returns whether the file exists afterwards. */
export async function installPackages(file, packages) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  console.log(`Installing ${packages.join(', ')} from the system packages ...`)
  const options = { quiet: true, env: { DEBIAN_FRONTEND: 'noninteractive' } }
  const update = await run('apt-get', ['update'], options)
  const { status, output } = await run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], options)
  if (status === 0 && existsSync(file)) return true
  console.log(`${update.status === 0 ? '' : update.output}${output}`.trim())
  return false
}

/** Installs OpenLDAP's server if it is missing. */
export async function getSlapd() {
  if (existsSync(SLAPD)) return
  if (process.getuid?.() === 0 && existsSync('/usr/bin/debconf-set-selections'))
    await run('sh', ['-c', NOT_CONFIGURED], { quiet: true })
  if (!(await installPackages(SLAPD, ['slapd'])))
    console.log('slapd could not be installed: the tests of user synchronization will say so.')
}

/**
 * Installs Samba as a domain controller if it is missing. Not where systemd runs: it would start a file server. Without
 * Samba its tests are skipped.
 */
export async function getSamba() {
  if (existsSync(SAMBA) || existsSync('/run/systemd/system')) return
  await installPackages(SAMBA, ['samba-ad-dc', 'samba-ad-provision'])
}
