// What the tests of client versions share: programs as files of a form, and what the server keeps of them.

import { makeProgram } from '../../../demo/program.ts'
import type { Database } from '../../db/open.ts'

/** A program of a version, as a browser sends it. */
export const programFile = (version: string, name = `client-${version}.exe`, payload?: Buffer): File => {
  const [major = 0, minor = 0, build = 0, revision = 0] = version.split('.').map(Number)
  return new File([Uint8Array.from(makeProgram([major, minor, build, revision], payload))], name)
}

export const versionsIn = (db: Database) => db.read.selectFrom('clientVersions').selectAll().orderBy('idx').execute()
