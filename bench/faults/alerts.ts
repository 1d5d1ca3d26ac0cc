// A real Prometheus with the rules of docs/operations/alerts.yml: what breaks is announced, and what is sound again is withdrawn.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { processesIn } from '@acc/server/src/db/embedded/place.ts'
import { freePort } from '@acc/server/test/process.ts'
import { ACCOUNT, findPrograms, giveAway, until } from '../ha/drill.ts'
import { demand } from '../ha/judge.ts'
import { waitForWrites } from './again.ts'
import type { Part, Subject } from './main.ts'

const RULES = join(import.meta.dirname, '../../docs/operations/alerts.yml')
/** How much sooner than as published: a minute of the rules is this many seconds. */
const MINUTE = 4
const SECONDS = { m: MINUTE, h: 60 * MINUTE }
/** Seconds in which an alert fires or resolves: of the ten published minutes, and some for a busy machine. */
const WITHIN = 120

/** The rules as published, with their times shortened. */
const hurried = (rules: string): string =>
  rules.replace(/(for: |\[)(\d+)([mh])/g, (_, before: string, count: string, unit: 'm' | 'h') => {
    return `${before}${Number(count) * SECONDS[unit]}s`
  })

/** Starts Prometheus beside a server; returns the alerts that fire. */
async function watch({ drill, node }: Subject): Promise<() => Promise<string[]>> {
  const { prometheus } = findPrograms('prometheus')
  const address = `127.0.0.1:${await freePort()}`
  writeFileSync(join(drill.root, 'alerts.yml'), hurried(readFileSync(RULES, 'utf8')))
  writeFileSync(
    join(drill.root, 'prometheus.yml'),
    `global: { scrape_interval: 4s, scrape_timeout: 4s, evaluation_interval: 1s }
rule_files: [alerts.yml]
scrape_configs:
  - { job_name: acc, metrics_path: /Metrics, static_configs: [{ targets: ['${new URL(node.url).host}'] }] }
`,
  )
  giveAway(drill.root)
  const files = [`--config.file=${drill.root}/prometheus.yml`, `--storage.tsdb.path=${drill.root}/prometheus`]
  drill.run('prometheus', prometheus, [...files, `--web.listen-address=${address}`], ACCOUNT)
  const ask = async (path: string) => (await fetch(`http://${address}/api/v1/${path}`)).json()
  await until('Prometheus has scraped the server', async () => {
    const { data } = (await ask('query?query=up')) as { data: { result: { value: [number, string] }[] } }
    return data.result.some(({ value }) => value[1] === '1')
  })
  return async () => {
    const { data } = (await ask('alerts')) as { data: { alerts: { state: string; labels: { alertname: string } }[] } }
    return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)
  }
}

/** Breaks something until an alert fires, mends it, and waits until nothing fires any more. */
async function follow(
  fired: () => Promise<string[]>,
  alert: string,
  breakIt: () => Promise<unknown>,
  mend: () => Promise<unknown>,
): Promise<void> {
  const since = performance.now()
  const seconds = () => ((performance.now() - since) / 1000).toFixed(0)
  await breakIt()
  try {
    await until(`${alert} fires`, async () => (await fired()).includes(alert), WITHIN)
  } finally {
    console.log(`     after ${seconds()} s: ${(await fired()).join(', ') || 'nothing fires'}`)
    await mend()
  }
  await until('nothing fires any more', async () => (await fired()).length === 0, WITHIN)
  demand(true, `${alert} fired, and was withdrawn ${seconds()} s after the beginning`)
}

export function openAlerts(): Part {
  return {
    run: async (subject) => {
      const { node, load } = subject
      const fired = await watch(subject)
      demand((await fired()).length === 0, 'nothing fires while all is well')
      const database = processesIn(join(node.dataDir, 'pg'))
      const signal = (name: NodeJS.Signals) => async () => {
        for (const pid of database) process.kill(pid, name)
      }
      await follow(fired, 'AccErrors', signal('SIGSTOP'), signal('SIGCONT'))
      await follow(
        fired,
        'AccDown',
        () => node.running.kill('SIGKILL'),
        () => node.start(),
      )
      await waitForWrites(load, performance.now())
    },
  }
}
