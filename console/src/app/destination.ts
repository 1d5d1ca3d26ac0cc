// A record that the address names: `?go=approvals/123`, as mails do.

export type Destination = { screen: string; idx: number | null }

/** `approvals/123` or `approvals`; null for anything else. */
export function readDestination(go: string | null): Destination | null {
  const [, screen, idx] = go?.match(/^([a-zA-Z]{1,30})(?:\/(\d{1,15}))?$/) ?? []
  return screen === undefined ? null : { screen, idx: idx === undefined ? null : Number(idx) }
}
