/** Why a backup cannot be made or used, as one line for the operator. */
export class BackupError extends Error {
  override name = 'BackupError'
}
