// The history of policies (spec S2 §2.6): all values of a policy with their old ones.
import type { z } from 'zod'
import { page } from '../core/access.ts'
import { anyLine } from '../core/fields.ts'
import { MAX_LENGTH } from '../core/limits.ts'
import { Level } from '../labels/access.ts'
import type { Label } from '../labels/enumOf.ts'
import { PolicyManage } from '../labels/history.ts'
import {
  ExceptionType,
  OwnerType,
  Permission,
  POLICY_FIELD_LABELS,
  POLICY_LIST_LABELS,
  type PolicyField,
  Use,
} from '../labels/policies.ts'
import { Transfer } from '../labels/requests.ts'
import { ACTOR, choice, count, ENTRY_END, type Field, type Lists, maybe, momentField, text } from './fields.ts'
import { fieldName, historyKind, traced } from './kind.ts'

type PolicyKey<K extends string> = `policy${Capitalize<K>}`
type PolicyFields = { [K in PolicyField as PolicyKey<K>]: Field<z.ZodNullable<z.ZodInt>> }
/** The fields of a policy by their names in the history: `clipboard` is `policyClipboard`. */
const policyFields = Object.fromEntries(
  Object.entries(POLICY_FIELD_LABELS).map(([name, { unit, ...label }]) => [
    fieldName('policy', name),
    maybe({ ...count(label.ko, label.en), ...(label.values && { values: label.values }), ...(unit && { as: unit }) }),
  ]),
) as PolicyFields

const networkExceptions = (label: Label) =>
  ({
    ...label,
    rows: 5,
    fields: {
      idx: count('번호', 'Number'),
      description: text('설명', 'Description'),
      type: choice('유형', 'Type', ExceptionType),
      ip1: text('IP 1 / 도메인', 'IP 1 / domain'),
      ip2: text('IP 2', 'IP 2'),
      port: count('포트', 'Port'),
      access: choice('접근', 'Access', Permission),
      ...ENTRY_END,
    },
  }) as const

const POLICY_LISTS = {
  policyApprovalSteps: {
    ...POLICY_LIST_LABELS.approvalSteps,
    rows: 5,
    fields: {
      authorityName: text('관리 권한', 'Authority'),
      type: choice('구분', 'Direction', Transfer),
      step: count('단계', 'Step'),
    },
  },
  policyNetworkExceptions: networkExceptions(POLICY_LIST_LABELS.policyNetworkExceptions),
  policyLocalNetworkExceptions: networkExceptions(POLICY_LIST_LABELS.policyLocalNetworkExceptions),
  policyLoopbackExceptions: {
    ...POLICY_LIST_LABELS.policyLoopbackExceptions,
    rows: 5,
    fields: { description: text('설명', 'Description'), processName: text('프로세스', 'Process') },
  },
  policyShortcutWebs: {
    ...POLICY_LIST_LABELS.shortcutWebs,
    rows: 5,
    fields: { name: text('이름', 'Name'), url: text('URL', 'URL') },
  },
  policyShortcutPrograms: {
    ...POLICY_LIST_LABELS.shortcutPrograms,
    rows: 5,
    fields: { name: text('이름', 'Name'), path: text('경로', 'Path') },
  },
} satisfies Lists

const policies = historyKind({
  title: { ko: '정책 관리', en: 'Policies' },
  group: 'web',
  path: '/Logs/PolicyManage',
  access: page('log', Level.READ),
  target: 'policyOwner',
  head: { type: choice('작업', 'Action', PolicyManage), ...ACTOR },
  facts: {
    targetType: choice('대상', 'Target', OwnerType),
    targetName: text('이름', 'Name'),
    /** Users only. */
    targetId: maybe(text('아이디', 'ID')),
    targetGroupName: maybe(text('그룹', 'Group')),
    /** Owner of the policy that was copied or now applies. */
    diffOwnerName: maybe(text('정책 소유자', 'Policy owner')),
  },
  compared: {
    ...policyFields,
    targetIsSinglePC: maybe(choice('PC 1대 제한', 'One-PC limit', Use)),
    /** Of a person's own policy. */
    targetEndDT: maybe(momentField('종료 일시', 'Ends')),
    targetEndReason: maybe(text('종료일이 없는 사유', 'Why there is no end')),
  },
  lists: POLICY_LISTS,
  columns: ['logDT', 'type', 'targetType', 'targetName', 'actorName'],
  filters: ['type', 'targetType', 'targetName', 'targetId', 'targetGroupName', 'actorName'],
  sorts: ['type', 'targetName', 'targetId', 'targetGroupName', 'actorName'],
})
const tracedPolicies = traced(policies)
export const policyManage = {
  ...tracedPolicies,
  filter: tracedPolicies.filter.extend({
    appliesTo: anyLine(MAX_LENGTH.loginId)
      .optional()
      .describe('Of the policies that applied to the person with this ID at the time of the row'),
  }),
}
