// The accounts of the measured organization that calls are made with.

export const PASSWORD = 'Bench!mark-73'
/** Accounts with PASSWORD and a predictable ID, beginning with MANAGER's. */
export const SIGN_IN_ACCOUNTS = 500
/** The manager of an authority over the whole tree. */
export const MANAGER = 2
/** The first of the other accounts with PASSWORD. Those behind it decide requests of the whole tree. */
export const ACCOUNT = 3
/** The last account with PASSWORD: the manager of GROUP. */
export const GROUP_MANAGER = SIGN_IN_ACCOUNTS + ACCOUNT
/** One group of many, with a hundredth of the people in it and below. */
export const GROUP = 12
export const idOf = (idx: number) => `bench${idx}`
/** The accounts of the loads of sign-ins: `withTotp` get an authenticator, whose code is good for one sign-in. */
const others = Array.from({ length: SIGN_IN_ACCOUNTS - 1 }, (_, i) => ACCOUNT + 1 + i)
export const [withTotp, withPassword] = [others.slice(0, 300), others.slice(300)]
