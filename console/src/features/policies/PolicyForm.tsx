// The values of a policy: editable if it is an own policy and the viewer may edit it, otherwise read-only.
import { OwnerType, POLICY_LIST_LABELS } from '@acc/contract/labels/policies'
import type { Policy } from '@acc/contract/policies'
import type { ExceptionList, ExceptionLists } from '@acc/contract/policyExceptions'
import { Fragment, type ReactNode } from 'react'
import { PaneForm } from '../../kit/form/PaneForm.tsx'
import { Pane, Section } from '../../kit/layout/Page.tsx'
import { useLabel } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { useReach } from '../groups/exports.ts'
import { ApprovalSteps } from './ApprovalSteps.tsx'
import { LoopbackExceptions, NetworkExceptions } from './ExceptionLists.tsx'
import css from './Policies.module.css'
import { PolicyRow } from './PolicyRow.tsx'
import { PolicyShortcuts } from './PolicyShortcuts.tsx'
import { type Owner, policiesTexts } from './policies.ts'
import { isIdle, PARTS, type PolicyField, valuesOf } from './policyFields.ts'
import { listsOf } from './policyLists.ts'
import { type PolicyFormState, usePolicyForm } from './usePolicyForm.tsx'

/** Without a form the lists are read-only. */
type PolicyExceptionsProps = { policy: Policy; form?: PolicyFormState }

/** The exceptions of a policy below the values of the network tab: its own, compared with those of the policy above. */
function PolicyExceptions({ policy, form }: PolicyExceptionsProps) {
  const label = useLabel()
  const loaded = listsOf(policy)
  const above = policy.above && listsOf(policy.above)
  const propsOf = <L extends ExceptionList>(list: L) => ({
    name: list,
    title: label(POLICY_LIST_LABELS[list]),
    rows: (form?.values ?? loaded)[list],
    above: above && { name: policy.aboveOwnerName ?? '', rows: above[list] },
    edit: form && {
      loaded: loaded[list],
      set: (rows: ExceptionLists[L]) => form.set<ExceptionList>(list, rows),
      error: form.field(list).error,
    },
  })
  return (
    <>
      <NetworkExceptions {...propsOf('policyNetworkExceptions')} />
      <NetworkExceptions {...propsOf('policyLocalNetworkExceptions')} />
      <LoopbackExceptions {...propsOf('policyLoopbackExceptions')} />
    </>
  )
}

type Part = keyof typeof PARTS
type Props = { policy: Policy; part: Part }

/** Returns the value to compare with: of the policy above an own one, or of the inherited policy. */
function aboveOf(policy: Policy, field: PolicyField) {
  if (policy.isMyPolicy === 0) return { name: policy.ownerName, value: policy[field] }
  if (policy.above === null || policy.aboveOwnerName === null) return null
  return { name: policy.aboveOwnerName, value: policy.above[field] }
}

type RowsProps = Pick<Props, 'policy' | 'part'> & {
  form?: PolicyFormState
  values: Record<PolicyField, number>
  inputOf?: (field: PolicyField) => Pick<Parameters<typeof PolicyRow>[0], 'input' | 'onChange'>
}

function Rows({ policy, part, form, values, inputOf }: RowsProps) {
  const t = useTexts(policiesTexts)
  const List = inputOf === undefined ? 'dl' : 'div'
  return PARTS[part].map(({ title, fields }) => (
    <Fragment key={title}>
      <Section title={t(`section.${title}`)}>
        <List className={css.rows}>
          {fields.map((field) => (
            <PolicyRow
              key={field}
              field={field}
              value={values[field]}
              above={aboveOf(policy, field)}
              isIdle={isIdle(field, values)}
              {...inputOf?.(field)}
            />
          ))}
        </List>
      </Section>
      {title === 'export' && <ApprovalSteps policy={policy} form={form} />}
    </Fragment>
  ))
}

/** The read-only values. */
export function PolicyValuesPane({ policy, part, note }: Props & { note?: ReactNode }) {
  const t = useTexts(policiesTexts)
  return (
    <Pane label={t('policy')}>
      {note}
      <Rows policy={policy} part={part} values={valuesOf(policy)} />
      {part === 'network' && <PolicyExceptions policy={policy} />}
      {part === 'shortcut' && <PolicyShortcuts policy={policy} />}
    </Pane>
  )
}

export function PolicyForm({ policy, part, owner }: Props & { owner: Owner }) {
  const t = useTexts(policiesTexts)
  const form = usePolicyForm(policy)
  const inputOf = (field: PolicyField) => ({
    input: form.field(field),
    onChange: (value: number) => form.set(field, value),
  })
  const counts = { count: form.changed.length, ...useReach(policy.reach) }
  return (
    <PaneForm
      form={form}
      effect={
        form.isDirty && (owner.ownerType === OwnerType.USER ? t('changeReachUser', counts) : t('changeReach', counts))
      }
    >
      <Rows policy={policy} part={part} form={form} values={form.values} inputOf={inputOf} />
      {part === 'network' && <PolicyExceptions policy={policy} form={form} />}
      {part === 'shortcut' && <PolicyShortcuts policy={policy} form={form} />}
    </PaneForm>
  )
}
