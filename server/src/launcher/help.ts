/** The output of `./acc help`. */
export const HELP = `Usage: ./acc COMMAND

  start      starts the server, waits until it is ready and prints its address
  stop       stops it and waits until it has ended
  status     says whether it runs and is ready
  logs [-f]  shows the end of its log; -f continues
  run        runs it in the foreground, for a service or a container
  service    prints a systemd unit
  admin ...  acc-admin: administrators, backups, history and keys
  client ... acc-client, the desktop client
  verify     compares every file of this folder with SHA256SUMS
  version    prints the version and its commit
  help       prints this

Settings are environment variables, or lines NAME=value of acc.env next to this folder.
Data are in acc-data next to this folder, or in ACC_DATA_DIR.
Exit statuses are those of the Linux Standard Base: 0 done or running, 1 failed or died,
2 wrong usage, 3 not running, 4 no right or unknown, 5 incomplete, 6 wrong settings.`
