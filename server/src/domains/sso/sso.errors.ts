/** The provider did not answer, or not as it should. `isIncomplete`: the person may try again at once. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly isIncomplete: boolean
  constructor(message: string, isIncomplete = false) {
    super(message)
    this.isIncomplete = isIncomplete
  }
}
