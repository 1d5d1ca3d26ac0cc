// Why a mail could not be sent. The message is one line for the administrator. It contains no text of the mail, no
// password, and no words of a server that had received them.
export class MailError extends Error {
  override readonly name = 'MailError'
  /** A retry would fail too: this receiver, or this text, is refused. */
  readonly isPermanent: boolean
  constructor(message: string, isPermanent = false) {
    super(message)
    this.isPermanent = isPermanent
  }
}
