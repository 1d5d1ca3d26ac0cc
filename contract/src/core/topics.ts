// What live events speak of. A write names the topics that it changes, a read the topics that it shows: the server's live
// events and what the console fetches again both follow from these two lists.

export const TOPICS = [
  'requests',
  'users',
  'groups',
  'policies',
  'authorities',
  'mails',
  'settings',
  'session',
] as const
export type Topic = (typeof TOPICS)[number]
