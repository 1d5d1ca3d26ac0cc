// What an empty list of requests says: which requests belong there, and whose.
import { Level } from '@acc/contract/labels/access'
import { Transfer } from '@acc/contract/labels/requests'
import { useViewer } from '../../kit/api/viewer.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { useGroupIndex } from '../groups/exports.ts'
import { type ApprovalsView, approvalsTexts } from './approvals.ts'

const LEVEL_OF = { [Transfer.EXPORT]: 'maxFileExportApprove', [Transfer.IMPORT]: 'maxFileImportApprove' } as const
const NAMED = 3

type Props = {
  tab: ApprovalsView['tab']
  type: Transfer
  /** The list shows only what the viewer has to decide. */
  isForViewer: boolean
}

/** The groups of the viewer, by those at which the level begins on the way down. */
function Scope({ tab, type, isForViewer }: Props) {
  const t = useTexts(approvalsTexts)
  const { rows } = useGroupIndex()
  const isShown = (group: (typeof rows)[number]['parent']) =>
    group !== null && group[LEVEL_OF[type]] >= (isForViewer ? Level.EDIT : Level.READ)
  const names = rows.filter(({ group, parent }) => isShown(group) && !isShown(parent)).map(({ group }) => group.name)
  if (names.length === 0) return null
  const first = names.slice(0, NAMED).join(', ')
  const groups = names.length > NAMED ? t('moreGroups', { names: first, count: names.length - NAMED }) : first
  return (
    <>
      {t('emptyGroups', { groups })} {isForViewer && tab === 'waiting' && t('emptySteps')}
    </>
  )
}

/** Which requests a tab would list, where its name does not say it. */
function hintOf(tab: Props['tab'], type: Transfer) {
  if (tab === 'allowed') return 'emptyHintAllowed'
  if (tab === 'urgent') return 'urgent.emptyHint'
  if (tab !== 'waiting') return undefined
  return type === Transfer.IMPORT ? 'emptyHintImport' : 'emptyHint'
}

export function EmptyHint(props: Props) {
  const t = useTexts(approvalsTexts)
  const { isAdmin } = useViewer()
  const hint = hintOf(props.tab, props.type)
  return (
    <>
      {hint && t(hint)} {!isAdmin && <Scope {...props} />}
    </>
  )
}
