// One request: requester, group, reason, files, earlier transfers, and the decision.

import { api } from '@acc/contract'
import { formatBytes, formatMoment } from '@acc/contract/labels/formats'
import { requestStateLabel, Transfer } from '@acc/contract/labels/requests'
import type { FileEximportDetail } from '@acc/contract/requests'
import { CopyLink } from '../../kit/layout/CopyButton.tsx'
import { Facts, Pane, Quote, Section } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { useHeadings } from '../../kit/texts/labels.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { ApprovalFiles } from './ApprovalFiles.tsx'
import { useRequest } from './approvals.queries.ts'
import { approvalsTexts } from './approvals.texts.ts'
import { BlockNotice, DecisionFoot, DecisionReason } from './Decision.tsx'
import { RequestSteps } from './RequestSteps.tsx'
import { type AfterDecision, useDecision } from './useDecision.ts'

type Props = AfterDecision & { idx: number }

function ApprovalDetail({ request, onDecided, nextOf }: Omit<Props, 'idx'> & { request: FileEximportDetail }) {
  const t = useTexts(approvalsTexts)
  const heading = useHeadings(api.requests.search)
  const language = useLanguage()
  const state = requestStateLabel(request)
  const { recent } = request
  const decision = useDecision(request, { nextOf, onDecided })
  return (
    <Pane
      title={`#${request.idx} · ${request.requesterName}`}
      aside={
        <>
          <CopyLink idx={request.idx} />
          <StatusDot tone={state.tone}>{state[language]}</StatusDot>
        </>
      }
      foot={<DecisionFoot request={request} decision={decision} />}
    >
      <BlockNotice request={request} />
      <Facts
        rows={[
          [heading('requesterName'), `${request.requesterName} (${request.requesterId})`],
          [t('email'), request.requesterEmail],
          [
            heading('requesterGroupName'),
            request.groupPath.length > 0 ? request.groupPath.join('\u00a0› ') : request.requesterGroupName,
          ],
          [heading('requestDT'), formatMoment(request.requestDT)],
          [
            t('recent'),
            t(request.type === Transfer.EXPORT ? 'recentExports' : 'recentImports', {
              ...recent,
              size: formatBytes(recent.size),
            }),
          ],
          ...(request.approveDT === null
            ? []
            : [
                [heading('approverName'), request.approverName ?? t('system')] as const,
                [heading('approveDT'), formatMoment(request.approveDT)] as const,
              ]),
        ]}
      />
      <Section title={heading('requestPurpose')}>
        <Quote>{request.requestPurpose}</Quote>
      </Section>
      <ApprovalFiles request={request} />
      <RequestSteps steps={request.steps} />
      <DecisionReason request={request} decision={decision} />
    </Pane>
  )
}

export function ApprovalPane({ idx, ...rest }: Props) {
  return <QueryState of={useRequest(idx)}>{(request) => <ApprovalDetail request={request} {...rest} />}</QueryState>
}
