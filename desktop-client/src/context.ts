// The context of every command: server, state, language and terminal.

import type { Language } from '@acc/contract/labels/enumOf'
import type { Calls } from './connection.ts'
import { connect, serverOf, sessionAt } from './connection.ts'
import type { Globals } from './options.ts'
import { openProgress, type Progress } from './progress.ts'
import { defaultStatePath, openState, type Session, type StateFile } from './state.ts'
import { TEXTS, type Texts } from './texts.ts'

export type Context = {
  server: string
  state: StateFile
  language: Language
  texts: Texts
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  isJson: boolean
  /** Prints a line before the command ends. */
  print(line: string): void
  progress: Progress
}
export type SignedIn = { calls: Calls; session: Session }

export async function openContext(globals: Globals, language: Language, signal: AbortSignal): Promise<Context> {
  const state = openState(globals.state ?? defaultStatePath())
  const isJson = globals.json === true
  return {
    server: serverOf(globals, process.env, await state.read()),
    state,
    language,
    texts: TEXTS[language],
    signal,
    isJson,
    print: (line) => void process.stdout.write(`${line}\n`),
    progress: openProgress(process.stderr, process.stderr.isTTY === true && !isJson),
  }
}

/** Returns the calls with the token of the sign-in; 960 without one. */
export async function signedIn({ server, state, language }: Context): Promise<SignedIn> {
  const session = sessionAt(server, await state.read())
  return { calls: connect(server, language, session.token), session }
}
