// Data directories of servers with an embedded database, created once: `createDataDir(join(root, 'data'))`. Creating
// and migrating a database takes most of the time of a first start.
import { inject } from 'vitest'
import { copyFolder } from './copyFolder.ts'

/** Copies a data directory with a migrated database, which the start of a server fills. */
export const createDataDir = (dataDir: string): void => copyFolder(inject('created'), dataDir)
