// Style sheets that could not be fetched. The bundler asks for those of a part of the console once, however often the part is
// tried again: a screen that was opened while the server was away would come without its styles.

const failed = new Set<HTMLLinkElement>()

/** Notes the style sheets of the page that fail from now on. */
export const noteFailedStyles = (): void =>
  document.addEventListener(
    'error',
    ({ target }) => void (target instanceof HTMLLinkElement && target.rel === 'stylesheet' && failed.add(target)),
    true,
  )

function fetchAgain(link: HTMLLinkElement): Promise<void> {
  const again = document.createElement('link')
  again.rel = link.rel
  again.href = link.href
  again.crossOrigin = link.crossOrigin
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  again.onload = () => resolve()
  again.onerror = () => reject(new Error(`${link.href} could not be fetched`))
  link.replaceWith(again)
  failed.delete(link)
  return promise
}

/** Fetches the style sheets that failed again. Rejects if one fails once more. */
export const refetchStyles = async (): Promise<void> => void (await Promise.all([...failed].map(fetchAgain)))
