// What the browser keeps between visits (spec S1 §3), under one prefix. Without storage the page
// works and remembers nothing.

/** The names of all entries. */
export const stored = {
  saveId: 'acc.saveId',
  id: 'acc.id',
  theme: 'acc.theme',
  language: 'acc.language',
  openDms: 'acc.openDms',
  /** With the number of a person behind it. */
  recentJumps: 'acc.recentJumps',
  /** Set by signing out, so that single sign-on does not sign the user in again immediately. */
  noSso: 'acc.noSso',
  /** The person does not need the first steps, or has seen them all done; their idx is added. */
  hidesFirstSteps: 'acc.hidesFirstSteps',
} as const

export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** Null removes the entry. Returns false where the storage is full or forbidden, which no caller depends on. */
export function writeStored(name: string, value: string | null): boolean {
  try {
    if (value === null) localStorage.removeItem(name)
    else localStorage.setItem(name, value)
    return true
  } catch {
    return false
  }
}

/** Returns the names that begin with the prefix. */
export function storedNames(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(prefix))
  } catch {
    return []
  }
}

/** A mark that a tab keeps until it is closed. Without storage it is never set. */
export const tabMark = (name: string) => ({
  isSet: (): boolean => {
    try {
      return sessionStorage.getItem(name) !== null
    } catch {
      return false
    }
  },
  set: (isOn: boolean): void => {
    try {
      if (isOn) sessionStorage.setItem(name, '1')
      else sessionStorage.removeItem(name)
    } catch {
      // Nothing depends on it.
    }
  },
})
