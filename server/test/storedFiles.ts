// Checks on disk whether the file store contains a name.
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Services } from '../src/core/services.ts'

export const isStored = ({ env }: Services, name: string): Promise<boolean> =>
  access(join(env.filesDir, name.slice(0, 2), name.slice(2, 4), name)).then(
    () => true,
    () => false,
  )
