// `npm run drill:upgrade`: versions that landed are upgraded to this one. Prints the figures; its exit status says whether they are
// as promised. `-- kills`, `-- dataDirs` or `-- rolling` runs one part; `-- --write` makes the fixtures of versions that have none.
// Needs git with the history of this repository, and HAProxy; for the oldest versions a package registry, since they used others.
import { findPrograms, openDrill } from '../ha/drill.ts'
import { requireAll } from '../ha/judge.ts'
import { drillDataDirs } from './dataDirs.ts'
import { drillKills } from './kills.ts'
import { drillRolling } from './rolling.ts'
import { writeFixtures } from './write.ts'

const KILLS = 20

const [only] = process.argv.slice(2)
const { haproxy } = findPrograms('haproxy', 'git', 'tar')
const isAsked = (part: string) => only === undefined || only === part
await openDrill(async (drill) => {
  if (only === '--write') return writeFixtures(drill)
  if (isAsked('kills')) await drillKills(drill, KILLS)
  if (isAsked('dataDirs')) await drillDataDirs(drill)
  if (isAsked('rolling')) await drillRolling(drill, haproxy)
  requireAll()
})
