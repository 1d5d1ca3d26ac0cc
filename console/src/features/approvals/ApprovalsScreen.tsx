// A queue of requests with the selected one next to it (spec S2 §2.3).
import { api } from '@acc/contract'
import { Transfer } from '@acc/contract/labels/requests'
import { isToReview, isWaiting } from '@acc/contract/requestState'
import type { FileEximport, ListedFileEximport } from '@acc/contract/requests'
import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconRefresh } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { queryClient, refresh } from '../../kit/api/query.ts'
import { useEditMode } from '../../kit/form/editMode.tsx'
import { Page, PageBody, PageHeader } from '../../kit/layout/Page.tsx'
import { Empty } from '../../kit/layout/QueryState.tsx'
import { SplitPane } from '../../kit/layout/SplitPane.tsx'
import { useOpenScreen, useView } from '../../kit/layout/view.ts'
import { PagedTable } from '../../kit/table/PagedTable.tsx'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { SubstituteNotice } from '../absences/exports.ts'
import { columnsOf, ROOMY } from './ApprovalColumns.tsx'
import { ApprovalFilters } from './ApprovalFilters.tsx'
import { ApprovalPane } from './ApprovalPane.tsx'
import css from './Approvals.module.css'
import {
  ApprovalsView,
  approvalsTexts,
  filterOf,
  isForViewer,
  isNarrowed,
  isOpenTab,
  SCREENS,
  UNNARROWED,
  useDecides,
  useOtherCount,
  useOtherDirection,
} from './approvals.ts'
import { focusRequest } from './Decision.tsx'
import { EmptyHint } from './EmptyHint.tsx'
import { ConfirmMany, RejectMany } from './ManyActions.tsx'

/** Returns the next request to decide or review in the shown list, otherwise the previous one. */
function nextOf(idx: number): number | undefined {
  const lists = queryClient.getQueriesData<{ items: FileEximport[] }>({
    queryKey: [api.requests.search.path],
    type: 'active',
  })
  // The badge in the menu uses a separate list with one row.
  const [shown = []] = lists
    .map(([, data]) => data?.items ?? [])
    .filter((items) => items.some((one) => one.idx === idx))
    .sort((one, other) => other.length - one.length)
  const waiting = shown.filter((one) => one.idx === idx || isWaiting(one) || isToReview(one))
  const at = waiting.findIndex((one) => one.idx === idx)
  return (waiting[at + 1] ?? waiting[at - 1])?.idx
}

function ApprovalsScreen({ type }: { type: Transfer }) {
  const t = useTexts(approvalsTexts)
  const language = useLanguage()
  const isRoomy = useMediaQuery(ROOMY, undefined, { getInitialValueInEffect: false })
  const [view, setView] = useView(ApprovalsView)
  const decides = useDecides(type)
  const otherCount = useOtherCount(view, type)
  const other = useOtherDirection(view, type)
  const openScreen = useOpenScreen()
  const others = (
    <>
      {otherCount > 0 && (
        <Button variant="default" mt={8} onClick={() => setView({ tab: 'all', idx: undefined })}>
          {t('openOthers', { count: otherCount })}
        </Button>
      )}
      {other !== undefined && (
        <Button
          mt={8}
          onClick={() => openScreen(SCREENS[other.type], { idx: other.idx, tab: 'all', search: view.search })}
        >
          {t('openOther', { idx: other.idx })}
        </Button>
      )}
    </>
  )
  const decided = useRef<{ idx: number | undefined; next: number | undefined }>(undefined)
  // After the pane has been closed, since a narrow window hides the list until then.
  useEffect(() => {
    if (decided.current === undefined || decided.current.idx === view.idx) return
    focusRequest(decided.current.next)
    decided.current = undefined
  }, [view.idx])
  const mode = useEditMode<ListedFileEximport>()
  const isUrgent = view.tab === 'urgent'
  // Of other lists nobody knows which rows the viewer may decide.
  const selects = isForViewer(view, decides)
  const isChecking = selects && mode.isOn
  const otherTitle = other && t(other.type === Transfer.IMPORT ? 'otherImport' : 'otherExport', { idx: other.idx })
  const emptyTitle = otherTitle
    ? otherTitle
    : isNarrowed(view)
      ? t('emptyFiltered')
      : isOpenTab(view.tab)
        ? t(view.tab === 'urgent' ? 'urgent.empty' : 'emptyWaiting')
        : t('empty')
  return (
    <Page>
      <PageHeader>
        {selects && (isUrgent ? <ConfirmMany mode={mode} type={type} /> : <RejectMany mode={mode} type={type} />)}
        <Button
          variant="default"
          leftSection={<IconRefresh size={14} />}
          onClick={() => void refresh(api.requests.search.shows)}
        >
          {t('refresh')}
        </Button>
      </PageHeader>
      <SubstituteNotice />
      <ApprovalFilters type={type} view={view} setView={setView} />
      <PageBody>
        <SplitPane
          name="approvals.detail"
          label={t('chosen')}
          at="end"
          width={380}
          steps={{ opened: view.idx, close: () => setView({ idx: undefined }) }}
          side={
            view.idx === undefined ? (
              <Empty title={t('choose')} hint={t('chooseHint')} />
            ) : (
              <ApprovalPane
                key={view.idx}
                idx={view.idx}
                nextOf={nextOf}
                onDecided={(next, opens) => {
                  decided.current = { idx: view.idx, next }
                  setView({ idx: opens ? next : undefined })
                }}
              />
            )
          }
        >
          <div className={css.queue} data-checks={isChecking || undefined}>
            <PagedTable
              route={api.requests.search}
              filter={filterOf(view, type, decides)}
              columns={columnsOf(t, { language, isRoomy, isChecking, isUrgent })}
              label={t('list')}
              focused={view.idx}
              onFocus={({ idx }) => setView({ idx })}
              {...(selects && mode.selection)}
              nameOf={({ idx, requesterName }) => `#${idx} ${requesterName}`}
              empty={{
                title: emptyTitle,
                onClear: isNarrowed(view) ? () => setView(UNNARROWED, { replace: true }) : undefined,
                hint: !isNarrowed(view) && <EmptyHint tab={view.tab} type={type} isForViewer={selects} />,
                action: others,
              }}
              leading={{
                // Rows of the tab before remain until those of this one are there.
                isLeading: (one) => one.isOverdue === 1 && isOpenTab(view.tab) && isToReview(one) === isUrgent,
                label: t(isUrgent ? 'urgent.lateFirst' : 'overdueFirst'),
                captions: isUrgent
                  ? [
                      (count) => (count === undefined ? t('urgent.late') : t('urgent.lateCount', { count })),
                      t('urgent.notLate'),
                    ]
                  : [(count) => (count === undefined ? t('overdue') : t('overdueCount', { count })), t('notOverdue')],
              }}
              csvName={type === Transfer.EXPORT ? 'exports' : 'imports'}
            />
          </div>
        </SplitPane>
      </PageBody>
    </Page>
  )
}

export const ExportApprovalsScreen = () => <ApprovalsScreen type={Transfer.EXPORT} />
export const ImportApprovalsScreen = () => <ApprovalsScreen type={Transfer.IMPORT} />
