// The server's clock goes over a change of summer time, and then jumps forward and back; its database's clock is another one.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Drill, until } from '../ha/drill.ts'
import { demand, lossOf, since } from '../ha/judge.ts'
import { isReady } from '../ha/site.ts'
import { demandWrites, WITHIN } from './again.ts'
import type { Part } from './main.ts'
import { meanwhile } from './meanwhile.ts'

/** The last Sunday of March, when clocks of central Europe go from 2 to 3. */
const SUMMER_TIME = new Date('2027-03-28T01:00:00Z')
/** Seconds before it at which the server starts. */
const BEFORE = 30
/** Seconds by which the clock jumps, less than a session lasts without a call. */
const JUMPS = [600, -600, 1_500, -3_600, 7]
const LASTS = 15_000

/** Debian's libfaketime, whatever the processor. */
function findFaketime(): string {
  const libraries = '/usr/lib'
  const found = readdirSync(libraries)
    .map((folder) => join(libraries, folder, 'faketime/libfaketimeMT.so.1'))
    .find((path) => existsSync(path))
  if (found === undefined) throw new Error("this part needs Debian's package libfaketime")
  return found
}

export function openClock(drill: Drill): Part {
  const file = join(drill.root, 'clock')
  let offset = Math.round((SUMMER_TIME.getTime() - Date.now()) / 1000) - BEFORE
  const set = () => writeFileSync(file, `${offset < 0 ? '' : '+'}${offset}\n`)
  set()
  return {
    options: {
      env: {
        LD_PRELOAD: findFaketime(),
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        TZ: 'Europe/Berlin',
      },
    },
    run: async ({ node, load }, times) => {
      await meanwhile(load, 'over the change to summer time', (BEFORE + 15) * 1000)
      for (let at = 0; at < times; at++)
        for (const jump of JUMPS) {
          offset += jump
          set()
          const jumped = performance.now()
          await wait(LASTS)
          const { count, details } = lossOf(since(load.calls, jumped))
          demand(count === 0, `the clock jumps by ${jump} s: ${count} calls lost`)
          await demandWrites(load, jumped, 'behind the jump')
          for (const detail of details) console.log(`     ${detail}`)
          await until('the server is ready', () => isReady(node.url), WITHIN)
        }
    },
  }
}
