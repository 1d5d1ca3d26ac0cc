// Data directories of servers with an embedded database, created once: `await createDataDir(join(root, 'data'))`. Creating
// and migrating a database takes most of the time of a first start.
import { cp } from 'node:fs/promises'
import { inject } from 'vitest'

/** Copies a data directory with a migrated database, which the start of a server fills. */
export const createDataDir = (dataDir: string): Promise<void> => cp(inject('created'), dataDir, { recursive: true })
