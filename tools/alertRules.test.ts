// Evaluates the alert rules with promtool: each fires for its fault, after its time, and for no other fault.
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

/** 5xx a minute that callers receive, and those that a node sent. */
const responses = (received: number, answered: number) => [
  `haproxy_frontend_http_responses_total{instance="a",proxy="calls",code="5xx"} 0+${received}x90`,
  `haproxy_server_http_responses_total{instance="a",proxy="nodes",server="node1",code="5xx"} 0+${answered}x90`,
]

const SCOPE = { scope: 'acc' }
/** Metrics of a database under Patroni. */
const member = (name: string, metrics: Labels) =>
  Object.entries(metrics).map(([metric, values]) => `patroni_${metric}{scope="acc",instance="${name}"} ${values}`)
const standby = member('b', { primary: '0x90', postgres_running: '1x90' })
/** Each database reports 0 where the other one's role is meant. */
const lag = (written: string, replayed: string) => [
  ...member('a', { xlog_location: written, xlog_replayed_location: '0x90' }),
  ...member('b', { xlog_location: '0x90', xlog_replayed_location: replayed }),
]

/** Series that make a rule fire from the minute `since`, and similar ones that do not. */
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
  AccPartDown: {
    fires: ['up{job="etcd",instance="a"} 0x90', 'up{job="etcd",instance="b"} 1x90'],
    quiet: ['haproxy', 'patroni', 'etcd'].map((job) => `up{job="${job}",instance="a"} 1x90`),
    labels: { job: 'etcd', instance: 'a' },
  },
  AccNoHealthyNode: {
    fires: ['haproxy_backend_active_servers{instance="a",proxy="nodes"} 0x90'],
    quiet: ['haproxy_backend_active_servers{instance="a",proxy="nodes"} 1x90'],
    labels: { instance: 'a', proxy: 'nodes' },
  },
  AccNodeOut: {
    fires: ['haproxy_server_status{instance="a",proxy="nodes",server="node2",state="DOWN"} 1x90'],
    quiet: [
      'haproxy_server_status{instance="a",proxy="nodes",server="node2",state="UP"} 1x90',
      'haproxy_server_status{instance="a",proxy="nodes",server="node2",state="DOWN"} 0x90',
      // The usual standby.
      'haproxy_server_status{instance="a",proxy="database",server="database2",state="DOWN"} 1x90',
    ],
    labels: { instance: 'a', proxy: 'nodes', server: 'node2', state: 'DOWN' },
  },
  AccLastResort: {
    fires: ['haproxy_server_sessions_total{instance="a",proxy="nodes",server="last1"} 0+6x90'],
    quiet: [
      'haproxy_server_sessions_total{instance="a",proxy="nodes",server="node1"} 0+6x90',
      'haproxy_server_sessions_total{instance="a",proxy="nodes",server="last1"} 6x90',
    ],
    labels: { instance: 'a' },
    since: 1,
  },
  AccHaproxyErrors: {
    fires: responses(60, 30),
    quiet: responses(60, 60),
    labels: { instance: 'a' },
    since: 1,
  },
  AccDatabaseUnreachable: {
    fires: ['haproxy_backend_active_servers{instance="a",proxy="database"} 0x90'],
    quiet: ['haproxy_backend_active_servers{instance="a",proxy="database"} 1x90'],
    labels: { instance: 'a', proxy: 'database' },
  },
  AccNoPrimary: {
    // A primary whose PostgreSQL has ended, and a standby that does not take over.
    fires: [...member('a', { primary: '1x90', postgres_running: '0x90' }), ...standby],
    quiet: [...member('a', { primary: '1x90', postgres_running: '1x90' }), ...standby],
    labels: SCOPE,
  },
  AccNoSyncStandby: {
    fires: ['a', 'b'].flatMap((name) => member(name, { sync_standby: '0x90' })),
    quiet: [...member('a', { sync_standby: '0x90' }), ...member('b', { sync_standby: '1x90' })],
    labels: SCOPE,
  },
  AccStandbyLag: {
    fires: lag('1000000000x90', '900000000x90'),
    // A megabyte a second, and a standby that was asked a minute earlier.
    quiet: lag('1000000000+60000000x90', '940000000+60000000x90'),
    labels: SCOPE,
    since: 2,
  },
  AccFailsafe: {
    fires: member('a', { failsafe_mode_is_active: '1x90' }),
    quiet: member('a', { failsafe_mode_is_active: '0x90' }),
    labels: SCOPE,
  },
  AccEtcdNoLeader: {
    fires: ['etcd_server_has_leader{job="etcd",instance="a"} 0x90'],
    quiet: ['etcd_server_has_leader{job="etcd",instance="a"} 1x90'],
    labels: { job: 'etcd', instance: 'a' },
  },
}

/** One of two nodes reports the fault. */
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

/** Every second rule fires and the others do not, and the reverse. */
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
