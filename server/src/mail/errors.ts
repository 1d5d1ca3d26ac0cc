// Why a mail could not be handed over. The message is one line for the administrator's screen; it never holds the mail's
// text, nor a password, nor anything that a server said after it had seen them.
export class MailError extends Error {
  override readonly name = 'MailError'
  /** Trying again would get the same answer: this receiver, or this text, is refused. */
  readonly isPermanent: boolean
  constructor(message: string, isPermanent = false) {
    super(message)
    this.isPermanent = isPermanent
  }
}
