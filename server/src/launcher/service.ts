// The systemd unit of an unpacked version, which limits the server's rights. Without MemoryDenyWriteExecute, since Node
// compiles at run time, and without IPAddressDeny, since the networks of users and mail differ.
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'

/** `written`: the folders that the server writes to. `read`: folders and files that it only reads. */
type Place = { home: string; dataDir: string; written: readonly string[]; read: readonly string[] }

const HOMES = ['/home', '/root', '/run/user']
const TEMPORARY = ['/tmp', '/var/tmp']

/** Returns the account that runs the service: that of the caller, or for root a separate one. */
function account(): string {
  if (process.getuid?.() === 0) return 'acc'
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.())
  }
}

const isBelow = (paths: readonly string[], folders: readonly string[]) =>
  paths.some((path) => folders.some((folder) => `${path}/`.startsWith(`${folder}/`)))

/** Quotes a text as one word of a unit. */
const word = (text: string) => `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('%', '%%')}"`

export function unit({ home, dataDir, written, read }: Place): string {
  const user = account()
  const paths = [home, ...written, ...read]
  // An argument may hold any character, a program's path may not; in commands alone `$NAME` is a variable.
  const program = word(join(home, 'acc')).replaceAll('$', '$$$$')
  return `# /etc/systemd/system/acc.service. The account ${user} needs its data directory: install -d -m 0700 -o ${user} DIRECTORY
[Unit]
Description=ACC
After=network-online.target
Wants=network-online.target

[Service]
Type=exec
User=${user}
Environment=${word(`ACC_DATA_DIR=${dataDir}`)}
ExecStart=/bin/sh ${program} run
KillMode=mixed
TimeoutStopSec=30
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=6 78
UMask=0077
LimitNOFILE=65536
LimitCORE=0

ReadWritePaths=${written.map(word).join(' ')}
ProtectSystem=strict
ProtectHome=${isBelow([...paths, dirname(home)], HOMES) ? 'read-only' : 'yes'}
PrivateTmp=${isBelow(paths, TEMPORARY) ? 'no' : 'yes'}
PrivateDevices=yes
DevicePolicy=closed
PrivateIPC=yes
PrivateUsers=yes
ProtectProc=invisible
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
LockPersonality=yes
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target`
}
