// The columns of the queue, with a second line in each row.
import type { api } from '@acc/contract'
import { formatDay } from '@acc/contract/labels/formats'
import { requestStateLabel } from '@acc/contract/labels/requests'
import { isToReview, isWaiting } from '@acc/contract/requestState'
import { FileName } from '../../kit/layout/FileName.tsx'
import type { Column } from '../../kit/table/PagedTable.tsx'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { type Translate, useTexts } from '../../kit/texts/texts.ts'
import type { Language } from '../../kit/texts/translate.ts'
import css from './Approvals.module.css'
import type ko from './approvals.ko.json'
import { approvalsTexts } from './approvals.ts'

/** The window that shows all columns; a narrower one leaves the last ones to the second line and to the pane. */
const WIDE = 760

type SummaryProps = { purpose: string; file: string | undefined; others: number; expiryDT: string | null }

/** The second line of a row, across its columns from the requester on: why, which files, and when it expires. */
function Summary({ purpose, file, others, expiryDT }: SummaryProps) {
  const t = useTexts(approvalsTexts)
  return (
    <span className={css.summary}>
      <span title={purpose}>{purpose}</span>
      {file !== undefined && <FileName name={file} />}
      {file !== undefined && others > 0 && <span className={css.others}>{t('otherFiles', { count: others })}</span>}
      {expiryDT !== null && <span className={css.expiry}>{t('expiresAt', { when: formatDay(expiryDT) })}</span>}
    </span>
  )
}

/** The windows in which names share the width with groups, or have the rest, so that none is cut next to free room. */
export const ROOMY = `(min-width: 1600px), (max-width: ${WIDE - 1}px)`

/** The window that has room for the size next to checkboxes, or next to English names, too. */
const WIDER = 1366

type Look = { language: Language; isRoomy: boolean; isChecking: boolean; isUrgent: boolean }

export const columnsOf = (
  t: Translate<typeof ko>,
  { language, isRoomy, isChecking, isUrgent }: Look,
): Column<typeof api.requests.search>[] => [
  { key: 'idx', width: 73 },
  {
    key: 'state',
    width: language === 'ko' ? 112 : 132,
    render: ({ step, stepCount, ...request }) => {
      const state = requestStateLabel(request)
      const isStepped = stepCount > 1 && isWaiting(request)
      return (
        <StatusDot tone={state.tone}>
          {isStepped ? t('shortStep', { state: state[language], step, stepCount }) : state[language]}
        </StatusDot>
      )
    },
  },
  {
    key: 'requesterName',
    width: isRoomy ? undefined : language === 'ko' ? 106 : 128,
    render: (request) => {
      const { requesterName, requestPurpose, urgentReason, files, fileCount, expiryDT } = request
      const purpose = (isToReview(request) && urgentReason) || requestPurpose
      return (
        <>
          {requesterName}
          <Summary purpose={purpose} file={files[0]?.fileName} others={fileCount - 1} expiryDT={expiryDT} />
        </>
      )
    },
  },
  { key: 'requesterGroupName', title: t('group'), from: WIDE },
  {
    key: 'fileCount',
    width: language === 'ko' ? 76 : 62,
    align: 'right',
    from: WIDE,
    render: (one) => (one.filesRemovedDT === null ? t('fileCount', { count: one.fileCount }) : t('removed')),
  },
  {
    key: 'fileSize',
    title: t('size'),
    width: 88,
    align: 'right',
    from: isChecking || language === 'en' ? WIDER : WIDE,
  },
  { key: isUrgent ? 'reviewDueDT' : 'requestDT', width: 158, from: WIDE },
]
