// The words that a person's password must not contain: of the product, of the licensed organization, and their own.
import { type PersonWords, personWords, wordsOf } from '@acc/contract/contextWords'
import type { Reader } from '../../db/open.ts'
import type { Env } from '../../env.ts'
import { findLicense, type LicenseServices } from '../licenses/licenses.status.ts'

/** The names of the product, each as a whole: "client" alone says nothing about it. */
export const productWords = ({ runtime: { product } }: Pick<Env, 'runtime'>): string[] => Object.values(product)

export async function findContextWords(db: Reader, services: LicenseServices, person: PersonWords): Promise<string[]> {
  const { registered } = await findLicense(db, services)
  return [...productWords(services.env), ...wordsOf(registered?.terms.licensee ?? ''), ...personWords(person)]
}
