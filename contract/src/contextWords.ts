// Words that a password must not contain because everyone around its owner knows them: names of the product and of the
// organization, the person's ID, name and email address (ASVS 5.0, 6.1.2 and 6.2.11). Free of zod: the portal loads it.

/** Shorter words occur in good passwords by chance. */
const SHORTEST_WORD = 4
const SEPARATORS = /[^\p{L}\p{N}]+/gu

const simplified = (text: string) => text.normalize('NFKC').toLowerCase().replace(SEPARATORS, '')

/** A person as their passwords must not name them. */
export type PersonWords = { id: string; name: string; email: string }

/** Returns a text and those of its words that are not digits alone. */
export const wordsOf = (text: string): string[] => [
  text,
  ...text.split(SEPARATORS).filter((part) => /\p{L}/u.test(part)),
]

/** Returns the words of a person: ID, name and the part of the address before its domain. */
export const personWords = ({ id, name, email }: PersonWords): string[] =>
  [id, name, email.replace(/@.*$/, '')].flatMap(wordsOf)

/** Returns the first of the words that the password contains, in any case and with any signs between its letters. */
export function findContextWord(password: string, words: readonly string[]): string | undefined {
  const text = simplified(password)
  return words.find((word) => simplified(word).length >= SHORTEST_WORD && text.includes(simplified(word)))
}
