// Alert rules, the dashboard and the runbook name existing metrics.

import { expect, test } from 'vitest'
import { FAULT_NAMES, faultEntry } from '../contract/src/labels/systemStatus.ts'
import { read } from './sources.ts'

const rules = read('docs/operations/alerts.yml')
const runbook = read('docs/operations/alerts.md')
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
const ruleOf = (fault: string) => `Acc${fault.charAt(0).toUpperCase()}${fault.slice(1)}`

test('every fault has a rule, and no rule a fault that does not exist', () => {
  const named = [...rules.matchAll(/acc_fault\{fault="(\w+)"\}/g)].map(([, fault]) => fault)
  expect(named).toEqual(FAULT_NAMES)
  expect(alerts).toEqual(expect.arrayContaining(FAULT_NAMES.map(ruleOf)))
  const summaries = [...rules.matchAll(/summary: "?(.+?)"?$/gm)].map(([, summary]) => `${summary}.`)
  expect(summaries).toEqual(expect.arrayContaining(FAULT_NAMES.map((fault) => faultEntry(fault).en)))
})

test('every rule has a section of its own in the runbook', () => {
  expect([...runbook.matchAll(/^### (\w+)$/gm)].map(([, name]) => name)).toEqual(alerts)
  const anchors = [...rules.matchAll(/alerts#(\w+)/g)].map(([, anchor]) => anchor)
  expect(anchors).toEqual(alerts.map((name) => name?.toLowerCase()))
})

test('rules name proxies of HAProxy that its configuration has, and scrape jobs that the runbook has', () => {
  const configuration = ['calls', 'database'].map((name) => read(`docs/operations/haproxy/${name}.cfg`)).join('\n')
  const proxies = [...configuration.matchAll(/^(?:frontend|backend|listen) (\w+)$/gm)].map(([, name]) => name)
  const named = [...rules.matchAll(/proxy="(\w+)"/g)].map(([, name]) => name)
  expect(new Set(named)).toEqual(new Set(proxies.filter((name) => name !== 'watch')))
  const servers = [...configuration.matchAll(/^ {2}server (\w+) .*?( backup)?$/gm)]
  for (const [, name, isBackup] of servers) expect(/^last.$/.test(name ?? ''), name).toBe(isBackup !== undefined)
  const jobs = [...runbook.matchAll(/job_name: (\w+)/g)].map(([, name]) => name)
  const used = [...rules.matchAll(/job=~?"([\w|]+)"/g)].flatMap(([, names = '']) => names.split('|'))
  expect(new Set(used)).toEqual(new Set(jobs))
})
