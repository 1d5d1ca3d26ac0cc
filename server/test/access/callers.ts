// Every kind of caller, and what the contract lets each one do.
import { type Api, api } from '@acc/contract'
import { type Access, can, FULL_PAGE_AUTH, NO_PAGE_AUTH, type PageAuth } from '@acc/contract/core/access'
import type { Route } from '@acc/contract/core/route'
import { PAGES, Role } from '@acc/contract/labels/access'

export type Caller = {
  name: string
  /** Of a person who signs in. */
  rights?: { role: Role; pageAuth: PageAuth }
  allows(access: Access): boolean
}

function person(name: string, role: Role, pageAuth: PageAuth): Caller {
  const rights = { role, pageAuth }
  return { name, rights, allows: (access) => can(rights, access) }
}
const manager = (page: keyof PageAuth, level: number) =>
  person(`${page} ${level}`, Role.MANAGER, { ...NO_PAGE_AUTH, [page]: level })

export const CALLERS: readonly Caller[] = [
  { name: 'anonymous', allows: (access) => access === 'public' },
  person('user', Role.USER, NO_PAGE_AUTH),
  ...PAGES.map((page) => manager(page, 1)),
  ...PAGES.filter((page) => page !== 'log').map((page) => manager(page, 2)),
  person('administrator', Role.ADMIN, FULL_PAGE_AUTH),
  { name: 'BIM server', allows: (access) => access === 'public' || access === 'bimServer' },
]

export type CallName = { [D in keyof Api]: `${D}.${keyof Api[D] & string}` }[keyof Api]

/** Every call with its name in code, such as `users.find`. */
export const CALLS = Object.entries(api).flatMap(([domain, calls]) =>
  Object.entries<Route>(calls).map(([name, route]) => ({ name: `${domain}.${name}` as CallName, route })),
)
export const ROUTES: readonly Route[] = CALLS.map(({ route }) => route)
