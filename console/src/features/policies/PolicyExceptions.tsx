// The exceptions of a policy below the values of the network tab: its own, compared with those of the policy above.
import { POLICY_LIST_LABELS } from '@acc/contract/labels/policies'
import type { Policy } from '@acc/contract/policies'
import type { ExceptionList, ExceptionLists } from '@acc/contract/policyExceptions'
import { useLabel } from '../../kit/texts/labels.ts'
import { LoopbackExceptions, NetworkExceptions } from './ExceptionLists.tsx'
import { listsOf } from './policyLists.ts'
import type { PolicyFormState } from './usePolicyForm.ts'

/** Without a form the lists are read-only. */
type Props = { policy: Policy; form?: PolicyFormState }

export function PolicyExceptions({ policy, form }: Props) {
  const label = useLabel()
  const loaded = listsOf(policy)
  const above = policy.above && listsOf(policy.above)
  const propsOf = <L extends ExceptionList>(list: L) => ({
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
