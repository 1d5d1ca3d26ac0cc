// The systemd unit of an unpacked version: the server confined to what it needs. Left out are MemoryDenyWriteExecute, since
// Node compiles at run time, and IPAddressDeny, since the networks of users, mail and sign-in providers are the operator's.
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'

/** `others`: where the server writes beside its data directory. */
type Place = { home: string; dataDir: string; others: readonly string[] }

const HOMES = ['/home', '/root', '/run/user']
const TEMPORARY = ['/tmp', '/var/tmp']

/** The account that runs the service: the one that asks, or for root one of its own. */
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

/** A text as one word of a unit, which reads escapes and specifiers. */
const word = (text: string) => `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('%', '%%')}"`

export function unit({ home, dataDir, others }: Place): string {
  const user = account()
  const data = [dataDir, ...others]
  const paths = [home, ...data]
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

ReadWritePaths=${data.map(word).join(' ')}
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
