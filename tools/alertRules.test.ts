// Each alert rule fires for what it is for, after its time and not before, and for nothing else: promtool's own evaluation.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { read } from './sources.ts'

const RULES = 'docs/operations/alerts.yml'
const promtool = (...args: string[]) => spawnSync('promtool', args, { encoding: 'utf8' })
const hasPromtool = promtool('--version').status === 0

type Rule = { name: string; expr: string; wait: string; severity: string; summary: string; runbook: string }
const field = (text: string, pattern: RegExp) => pattern.exec(text)?.[1] ?? ''
const unquoted = (text: string) => text.replace(/^(["'])(.*)\1$/, '$2')
const rules: Rule[] = read(RULES)
  .split('- alert: ')
  .slice(1)
  .map((text) => ({
    name: field(text, /^(\w+)/),
    expr: field(text, /expr: (.*)/),
    wait: field(text, /for: (\w+)/),
    severity: field(text, /severity: (\w+)/),
    summary: unquoted(field(text, /summary: (.*)/)),
    runbook: field(text, /runbook: (.*)/),
  }))

type Labels = Record<string, string>
/** Series with their values, minute by minute. */
type Case = { fires: string[]; quiet: string[]; labels?: Labels; since?: number }
const series = (line: string) => ({
  series: line.slice(0, line.indexOf(' ')),
  values: line.slice(line.indexOf(' ') + 1),
})

/** A hundred calls a minute, of which so many take less than a second and the others two. */
const slowness = (path: string, quick: number) =>
  [
    ['1', quick],
    ['2.5', 100],
    ['+Inf', 100],
  ].map(([le, each]) => `acc_call_seconds_bucket{instance="a",method="GET",path="${path}",le="${le}"} 0+${each}x90`)

/** What makes a rule fire, and what is near and does not; `since` is the minute from which it is so. */
const CASES: Record<string, Case> = {
  AccDown: {
    fires: ['up{job="acc",instance="a"} 1 0x90', 'up{job="acc",instance="b"} 1x90'],
    quiet: ['up{job="other",instance="a"} 0x90', 'up{job="acc",instance="b"} 1x90'],
    labels: { job: 'acc', instance: 'a' },
    since: 1,
  },
  AccErrors: {
    fires: ['503', '500'].map((status) => `acc_calls_total{instance="a",path="/x",status="${status}"} 0+30x90`),
    quiet: ['404', '401'].map((status) => `acc_calls_total{instance="a",path="/x",status="${status}"} 0+600x90`),
    labels: { instance: 'a' },
    since: 1,
  },
  AccSlow: {
    fires: slowness('/Users', 98),
    quiet: [
      ...slowness('/Users', 100),
      ...['/Events', '/Client/Download/Deploy/Web', '/Agent/File'].flatMap((path) => slowness(path, 0)),
    ],
    since: 1,
  },
  AccEventLoop: {
    fires: ['nodejs_eventloop_lag_p99_seconds{instance="a"} 0.2x90'],
    quiet: ['nodejs_eventloop_lag_p99_seconds{instance="a"} 0.05x90'],
    labels: { instance: 'a' },
  },
  AccHistoryUnverified: {
    fires: ['acc_history_check_seconds{instance="a"} 172830+60x90'],
    quiet: ['acc_history_check_seconds{instance="a"} 3600x90', 'acc_history_check_seconds{instance="b"} 172830x90'],
  },
  AccPasswordHashes: {
    fires: ['acc_password_hashes_total{instance="a"} 0+30000x90'],
    quiet: ['acc_password_hashes_total{instance="a"} 0+2400x90'],
    labels: { instance: 'a' },
    since: 1,
  },
}

/** Of faults one of two nodes reports it. */
function caseOf({ name, expr }: Rule): Case {
  const own = CASES[name]
  if (own !== undefined) return own
  const [, fault] = /fault="(\w+)"/.exec(expr) ?? []
  const at = (node: string, values: string) => `acc_fault{instance="${node}",fault="${fault}"} ${values}`
  return { fires: [at('a', '0 0 1x90'), at('b', '0x90')], quiet: [at('a', '0x90'), at('b', '0x90')], since: 2 }
}

const minutesOf = (wait: string) => Number.parseInt(wait, 10) * (wait.endsWith('h') ? 60 : 1)

function looksAt(rule: Rule, isFiring: boolean) {
  const { labels = {}, since = 0 } = caseOf(rule)
  const at = since + minutesOf(rule.wait)
  const alert = {
    exp_labels: { severity: rule.severity, ...labels },
    exp_annotations: { summary: rule.summary, runbook: rule.runbook },
  }
  const expected = isFiring ? [alert] : []
  const look = (minute: number, exp_alerts: unknown[]) => ({
    eval_time: `${minute}m`,
    alertname: rule.name,
    exp_alerts,
  })
  return [look(at - 1, []), look(at + 1, expected), look(80, expected)]
}

/** Every second rule fires, and the ones beside it are quiet; then the other way round. */
const tests = [0, 1].map((half) => ({
  interval: '1m',
  input_series: rules.flatMap((rule, i) => caseOf(rule)[i % 2 === half ? 'fires' : 'quiet'].map(series)),
  alert_rule_test: rules.flatMap((rule, i) => looksAt(rule, i % 2 === half)),
}))

test.runIf(hasPromtool)('every rule fires after its time for what it is for, and for nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'acc-alerts-'))
  try {
    const file = join(folder, 'tests.yml')
    copyFileSync(join(import.meta.dirname, '..', RULES), join(folder, 'alerts.yml'))
    expect(promtool('check', 'rules', join(folder, 'alerts.yml'))).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`SUCCESS: ${rules.length} rules found`),
    })
    // YAML reads JSON.
    writeFileSync(file, JSON.stringify({ rule_files: ['alerts.yml'], tests }))
    const { status, stdout, stderr } = promtool('test', 'rules', file)
    expect(`${stdout}${stderr}`).toContain('SUCCESS')
    expect(status).toBe(0)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
