// Topics of live events. A write declares the topics that it changes, a read the topics that it shows; the server's
// live events and the console's refetches are derived from both.

export const TOPICS = [
  'requests',
  'signIns',
  'users',
  'userImports',
  'groups',
  'policies',
  'shortcuts',
  'authorities',
  'mails',
  'licenses',
  'clientVersions',
  'settings',
  'bim',
  'bimConnections',
  'session',
  // A file that the person downloads broke off.
  'downloads',
] as const
export type Topic = (typeof TOPICS)[number]
