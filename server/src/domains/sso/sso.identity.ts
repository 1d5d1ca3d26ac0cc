// From the claims of a provider to the fields of a user. The key comes from the signed ID token alone; other claims are taken where
// they fit the format of their field, so that an unusable one never replaces a usable value.
import { email, key, loginId, personName } from '@acc/contract/core/fields'
import { z } from 'zod'
import type { OidcClaims } from '../../env.oidc.ts'
import type { Claims, ProvenClaims } from './sso.provider.ts'

export type SsoIdentity = {
  key: string
  id: string | undefined
  name: string | undefined
  email: string | undefined
  /** Keys of groups, the first known one counts. */
  groupKeys: string[]
}

const MAX_NAME = 30
const MAX_GROUPS = 200
/** A directory may number its entries. */
const text = z.union([z.string(), z.number().transform(String)])

const fitting = <T>(schema: z.ZodType<T>, value: unknown): T | undefined => schema.safeParse(value).data

/** The sign-in name: in lower case, and what is before the `@` of an address. */
const signInName = text.transform((value) => value.toLowerCase().split('@')[0] ?? '').pipe(loginId)
const shortName = text.transform((value) => value.trim().slice(0, MAX_NAME)).pipe(personName)
const groupKeys = z.union([text.transform((one) => [one]), z.array(text)])

/** Some providers send text, others nothing. */
const VERIFIED: readonly unknown[] = [undefined, true, 'true']

/** An address that the provider calls unverified may be anybody's. */
const emailOf = (claims: Claims, name: string) =>
  VERIFIED.includes(claims.email_verified) ? fitting(email, claims[name]) : undefined

/** Returns the identity; undefined without a usable key. */
export function identityOf({ signed, all }: ProvenClaims, names: OidcClaims): SsoIdentity | undefined {
  const found = fitting(text.pipe(key), signed[names.key])
  if (found === undefined) return undefined
  return {
    key: found,
    id: fitting(signInName, all[names.id]),
    name: fitting(shortName, all[names.name]),
    email: emailOf(all, names.email),
    groupKeys: (fitting(groupKeys, all[names.group]) ?? []).slice(0, MAX_GROUPS),
  }
}
