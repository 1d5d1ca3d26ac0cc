/** The reason why a backup cannot be made or used, as one line for the operator. */
export class BackupError extends Error {
  override name = 'BackupError'
}

/** A manifest was signed with another key than the one given. */
export class OtherKeyError extends BackupError {
  override name = 'OtherKeyError'
}
