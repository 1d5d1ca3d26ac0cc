// The server's clock passes the change to summer time, then jumps forward and back. The database has another clock.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { checkLoss, checkWrites, since, WITHIN } from './checks.ts'
import { type Drill, until } from './drill.ts'
import type { ServerPart } from './part.ts'
import { isReady } from './servers.ts'

/** The last Sunday of March, when clocks of central Europe go from 2 to 3. */
const SUMMER_TIME = new Date('2027-03-28T01:00:00Z')
/** Seconds before it at which the server starts. */
const BEFORE = 30
/** Seconds by which the clock jumps, less than an idle session lasts. */
const JUMPS = [600, -600, 1_500, -3_600, 7]
const LASTS = 15_000

/** Finds Debian's libfaketime. */
function findFaketime(): string {
  const found = readdirSync('/usr/lib')
    .map((folder) => join('/usr/lib', folder, 'faketime/libfaketimeMT.so.1'))
    .find((path) => existsSync(path))
  if (found === undefined) throw new Error("this drill needs Debian's package libfaketime")
  return found
}

export function drillClock(drill: Drill): ServerPart {
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
      await wait((BEFORE + 15) * 1000)
      checkLoss(load.calls, 'change to summer time')
      for (const jump of Array.from({ length: times }, () => JUMPS).flat()) {
        offset += jump
        set()
        const jumped = performance.now()
        await wait(LASTS)
        checkLoss(since(load.calls, jumped), `the clock jumps by ${jump} s`)
        await checkWrites(load, jumped, 'after the jump')
        await until('the server is ready', () => isReady(node.url), WITHIN)
      }
    },
  }
}
