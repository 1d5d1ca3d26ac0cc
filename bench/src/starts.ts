// The time to the first response of a server, and its memory at rest.
import { rm } from 'node:fs/promises'
import { residentMiB, startServer } from './processes.ts'
import type { Row } from './report.ts'

const seconds = (value: number) => `${value.toFixed(1)} s`

export async function measureStarts(dataDir: string, port: number): Promise<Row[]> {
  await rm(dataDir, { recursive: true, force: true })
  const first = await startServer(dataDir, port)
  await first.stop()
  const second = await startServer(dataDir, port)
  const atRest = residentMiB(second.pid)
  await second.stop()
  return [
    { work: 'first start', product: seconds(first.startSeconds), target: '< 8 s' },
    { work: 'start on existing data', product: seconds(second.startSeconds), target: '< 2 s' },
    { work: 'memory at rest, server process', product: `${atRest.toFixed(0)} MiB`, target: '< 170 MiB' },
  ]
}
