// What the address names: the front route, and with `?go=approvals/123` a screen and a record, as links in mails do.

export type Destination = { screen: string; idx: number | null }

/** `approvals/123` or `approvals`; null for anything else. */
export function readDestination(go: string | null): Destination | null {
  const [, screen, idx] = go?.match(/^([a-zA-Z]{1,30})(?:\/(\d{1,15}))?$/) ?? []
  return screen === undefined ? null : { screen, idx: idx === undefined ? null : Number(idx) }
}

/** A destination as the address names it. */
export function textOf(destination: Destination | null): string | undefined {
  if (destination === null) return undefined
  return destination.idx === null ? destination.screen : `${destination.screen}/${destination.idx}`
}

/**
 * The address that stays while screens change: the front route as the server has given it. Assets are found relative to
 * the page, so it ends in a slash; without one it is kept where the server has answered it so.
 */
export const homeOf = (frontRoute: string, pathname: string): string =>
  pathname === frontRoute ? pathname : `${frontRoute}/`
