// The help of acc-admin.
export const HELP = `acc-admin - administration of ACC from the command line

  acc-admin COMMAND [OPTIONS]

For the operator of a server, who gives the server's settings (ACC_DATA_DIR, ACC_DATABASE_URL) in the environment. The
server may be running or not.

  admin add ID --name TEXT --email ADDRESS
                         create a system administrator, and print a temporary password
  admin reset-password ID
                         replace a system administrator's password by a temporary one, end their sessions and every wait
                         after wrong passwords
  admin reset-otp ID     remove a system administrator's authenticator, and end their sessions
  admin suspend ID       suspend a system administrator, and end their sessions; never the last one who can sign in
  admin release ID       release a suspended system administrator
  admin remove ID        delete the account of a system administrator, and end their sessions; never the last one who can
                         sign in

  backup --to DIR [--with-key FILE] [--keep NUMBER]
                         back up database and files into a new folder of DIR, encrypted with the key in FILE (or one derived
                         from the secret key); keep the newest NUMBER backups. The server makes one every night (ACC_BACKUP_DIR)
  backup keygen --out FILE
                         create a key for backups
  verify --from DIR [--with-key FILE] [--in DIR]
                         restore the newest backup of DIR into a temporary place, and compare counts and hashes; of a WAL
                         archive, from its oldest and its newest base backup
  restore --from DIR [--with-key FILE]
                         restore the newest backup of DIR into an empty data directory or an empty outside database
  restore --from ARCHIVE_DIR [--until MOMENT] [--with-key FILE]
                         restore the embedded database from its WAL archive into an empty data directory: as it was at
                         MOMENT (2026-11-22T10:00:00Z), or at the archive's end
  restore-file --from DIR [--file NAME]
                         replace the stored files that are recorded as damaged, or the one with this storeName, by their newest
                         intact copies in the backups of DIR or in a WAL archive

  verify-history [--public-key KEY] [--expect NUMBER:HASH]
                         compare every row of the history with its seal, and name the first that was altered, removed or
                         inserted; KEY takes the place of the secret key, NUMBER:HASH is a seal known from before
  accept-history         go on sealing from the present state, after a restore by other means than acc-admin; on each node
                         that refuses to seal

  migrate                bring an outside database to this version as its owner (ACC_DATABASE_OWNER_URL), and give the server's role
                         its rights

  rotate-key             seal all secrets with the next key (DATA_DIR/secret.key.next or ACC_SECRET_KEY_NEXT, on all nodes), while
                         the servers run

Options of all commands

  --json                 one JSON document on standard output; errors as {"error": "..."}
  --help, --version

Exit status: 0 done, 1 failed, 2 wrong command line, 3 intact but not proven against removal (verify-history), 78 a setting
of the server cannot be used.`
