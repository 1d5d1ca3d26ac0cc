// One request: requester, group, reason, files, earlier transfers, and the decision.
import { api } from '@acc/contract'
import { formatBytes, formatDay, formatMoment } from '@acc/contract/labels/formats'
import { RequestEvent, RequestState, requestStateLabel, Transfer } from '@acc/contract/labels/requests'
import { isToReview } from '@acc/contract/requestState'
import type { FileEximportDetail } from '@acc/contract/requests'
import { Anchor, Button, Group } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import { useApiQuery } from '../../kit/api/query.ts'
import { CopyLink } from '../../kit/layout/CopyButton.tsx'
import { Facts, Pane, Quote, Section } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { useCanOpen, useOpenScreen } from '../../kit/layout/view.ts'
import { StateDot, StatusDot } from '../../kit/table/StatusDot.tsx'
import { useHeadings } from '../../kit/texts/labels.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { useGroupIndex } from '../groups/exports.ts'
import { ApprovalFiles } from './ApprovalFiles.tsx'
import css from './Approvals.module.css'
import { approvalsTexts, SCREENS } from './approvals.ts'
import { BlockNotice, DecisionFoot, DecisionReason, NobodyNotice } from './Decision.tsx'
import { type AfterDecision, useDecision } from './useDecision.ts'

/** The steps of a request as a timeline: what happened, when and who did it. */
function RequestSteps({ steps }: Pick<FileEximportDetail, 'steps'>) {
  const t = useTexts(approvalsTexts)
  if (steps.length === 0) return null
  return (
    <Section title={t('steps')}>
      <ol className={css.steps} aria-label={t('steps')}>
        {steps.map(({ type, logDT, actorName, step, forName, reason }) => {
          const by = type === RequestEvent.ALLOWED ? t('system') : actorName || t('system')
          const name = forName === null ? by : t('onBehalf', { name: by, forName })
          return (
            <li key={`${type} ${logDT} ${step}`}>
              <StateDot label={RequestEvent.labels[type]} />
              <span className={css.actor}>{step === null ? name : t('atStep', { step, name })}</span>
              <time dateTime={logDT}>{formatMoment(logDT)}</time>
              {reason && <span className={css.stepReason}>{reason}</span>}
            </li>
          )
        })}
      </ol>
    </Section>
  )
}

/** Who can decide a request now, and whose step it is. */
function useDecidersText() {
  const t = useTexts(approvalsTexts)
  return ({ deciders }: FileEximportDetail) => {
    const { count, people } = deciders ?? { count: 0, people: [] }
    const names = people.map(({ name, forName }) => (forName === null ? name : t('onBehalf', { name, forName })))
    const rest = count - people.length
    return rest > 0 ? t('andMore', { names: names.join(', '), count: rest }) : names.join(', ')
  }
}

/** The present step of a request that has several, with the authority that decides it. */
function useStepText() {
  const t = useTexts(approvalsTexts)
  return ({ step, stepCount, laterSteps }: FileEximportDetail) => {
    const name = laterSteps.find((later) => later.step === step)?.authorityName ?? t('firstStep')
    return t('stepOf', { step, stepCount, name })
  }
}

type Props = AfterDecision & { idx: number }
type Shown = { request: FileEximportDetail }

const approverOf = ({ approverName, approverId }: FileEximportDetail) =>
  approverName === null || approverId === null ? approverName : `${approverName} (${approverId})`

function RequestFacts({ request }: Shown) {
  const t = useTexts(approvalsTexts)
  const heading = useHeadings(api.requests.search)
  const { recent } = request
  const openScreen = useOpenScreen()
  const isDecided = request.approveDT !== null
  const decidersText = useDecidersText()
  const stepText = useStepText()
  return (
    <Facts
      rows={[
        [heading('requesterName'), `${request.requesterName} (${request.requesterId})`],
        [t('email'), request.requesterEmail],
        [
          heading('requesterGroupName'),
          request.groupPath.length > 0 ? request.groupPath.join('\u00a0› ') : request.requesterGroupName,
        ],
        [heading('requestDT'), formatMoment(request.requestDT)],
        request.expiryDT !== null && [t('expires'), formatMoment(request.expiryDT)],
        request.reviewDueDT !== null && [heading('reviewDueDT'), formatMoment(request.reviewDueDT)],
        request.stepCount > 1 && [heading('step'), stepText(request)],
        request.deciders !== null && request.deciders.count > 0 && [t('deciders'), decidersText(request)],
        [
          t('recent'),
          t(request.type === Transfer.EXPORT ? 'recentExports' : 'recentImports', {
            ...recent,
            size: formatBytes(recent.size),
          }),
        ],
        request.othersWaiting > 0 && [
          t('recentWaiting'),
          <Anchor
            key="waiting"
            component="button"
            size="sm"
            onClick={() => openScreen(SCREENS[request.type], { idx: request.idx, search: request.requesterId })}
          >
            {t('openWaiting', { count: request.othersWaiting })}
          </Anchor>,
        ],
        isDecided && [heading('approverName'), approverOf(request) ?? t('system')],
        isDecided && Boolean(request.approverGroupName) && [t('approverGroup'), request.approverGroupName],
        isDecided && [heading('approveDT'), formatMoment(request.approveDT)],
      ]}
    />
  )
}

/** Opens the row of the request in the history, where the viewer may read it. */
function HistoryButton({ request: { idx, type, requestDT, isInHistory } }: Shown) {
  const t = useTexts(approvalsTexts)
  const openScreen = useOpenScreen()
  const canOpen = useCanOpen()
  if (isInHistory !== 1 || !canOpen('history')) return null
  const menu = type === Transfer.EXPORT ? 'fileExport' : 'fileImport'
  const day = formatDay(requestDT)
  return (
    <Button
      variant="default"
      size="compact-sm"
      rightSection={<IconArrowUpRight size={13} />}
      onClick={() => openScreen('history', { menu, idx, from: day, to: day, filters: { idx: String(idx) } })}
    >
      {t('openHistory')}
    </Button>
  )
}

/** Opens the policy that decides whether the requester's exports need an approval, where the viewer may read it. */
function PolicyButton({ request }: Shown) {
  const { type, state, requesterIdx, requesterGroupIdx } = request
  const t = useTexts(approvalsTexts)
  const openScreen = useOpenScreen()
  const canOpen = useCanOpen()
  const { find } = useGroupIndex()
  if (type !== Transfer.EXPORT || requesterIdx === null || requesterGroupIdx === null) return null
  if (!canOpen('policies') || (find(requesterGroupIdx)?.maxPolicy ?? 0) === 0) return null
  const view = {
    groupIdx: requesterGroupIdx,
    userIdx: requesterIdx,
    isExplained: true,
    field: isToReview(request) ? 'urgentExport' : 'fileExport',
  }
  return (
    <Button
      variant="default"
      size="compact-sm"
      rightSection={<IconArrowUpRight size={13} />}
      onClick={() => openScreen('policies', view)}
    >
      {t(state === RequestState.ALLOWED ? 'whyAllowed' : 'whyApproval')}
    </Button>
  )
}

function ApprovalDetail({ request, onDecided, nextOf }: Omit<Props, 'idx'> & Shown) {
  const heading = useHeadings(api.requests.search)
  const language = useLanguage()
  const state = requestStateLabel(request)
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
      <NobodyNotice request={request} />
      <RequestFacts request={request} />
      <Group gap={8} mb="md">
        <PolicyButton request={request} />
        <HistoryButton request={request} />
      </Group>
      {request.urgentReason !== null && (
        <Section title={heading('urgentReason')}>
          <Quote>{request.urgentReason}</Quote>
        </Section>
      )}
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
  const query = useApiQuery(api.requests.find, { idx })
  return <QueryState of={query}>{(request) => <ApprovalDetail request={request} {...rest} />}</QueryState>
}
