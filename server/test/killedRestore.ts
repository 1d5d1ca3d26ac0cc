// Restores into an empty place as acc-admin does, and is killed at a step: node killedRestore.ts DATA_DIR staged|placed
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fillEmptyPlace } from '../src/backup/emptyPlace.ts'

const [dataDir = '', step] = process.argv.slice(2)
const place = { dataDir, databaseUrl: undefined, files: { folder: join(dataDir, 'files') } }
await fillEmptyPlace(place, async ({ stage, staged }) => {
  const bytes = await stage.create('ab'.repeat(16))
  await bytes.writeAt([Buffer.from('of a restore that was killed')], 0)
  await bytes.sync()
  await bytes.close()
  await mkdir(join(staged, 'pg'))
  if (step === 'placed') await stage.place()
  process.kill(process.pid, 'SIGKILL')
})
