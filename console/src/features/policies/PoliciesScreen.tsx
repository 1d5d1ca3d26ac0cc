// The policy screen: groups, their users, and the policy of the focused group or user (spec S1 §2).

import type { ReportedException } from '@acc/contract/ends'
import type { Group } from '@acc/contract/groups'
import { Level } from '@acc/contract/labels/access'
import { EndingKind } from '@acc/contract/labels/ends'
import { SegmentedControl } from '@mantine/core'
import { Page, PageBody, PageHeader } from '../../kit/layout/Page.tsx'
import { Empty } from '../../kit/layout/QueryState.tsx'
import { SplitPane } from '../../kit/layout/SplitPane.tsx'
import { useOpenScreen, useView } from '../../kit/layout/view.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { ExceptionReport } from '../ends/exports.ts'
import { GroupsPane, useGroupIndex, useGroupsWith } from '../groups/exports.ts'
import { PeoplePane } from './PeoplePane.tsx'
import { PolicyMap } from './PolicyMap.tsx'
import { PolicyPanel } from './PolicyPanel.tsx'
import { type PoliciesProps, PoliciesView, policiesTexts } from './policies.ts'
import type { PolicyField } from './policyFields.ts'
import { partOf } from './policyMap.ts'

function Chosen({ view, setView }: PoliciesProps) {
  const t = useTexts(policiesTexts)
  const { find } = useGroupIndex()
  const { query, groups } = useGroupsWith('maxPolicy')
  // The groups pane says that there are none to select.
  if (view.groupIdx === undefined) return groups.length > 0 && <Empty title={t('choose')} hint={t('chooseHint')} />
  const group = find(view.groupIdx)
  // The groups pane shows loading and failure.
  if (query.data === undefined) return null
  if (group === undefined || group.maxPolicy === Level.NONE)
    return <Empty title={t('goneTitle')} hint={t('goneHint')} />
  const props = { view, setView, group }
  return (
    <SplitPane
      name="policies.people"
      label={t('chosen')}
      at="start"
      width={300}
      min={240}
      side={<PeoplePane {...props} />}
    >
      <PolicyPanel key={view.userIdx === undefined ? `group${group.idx}` : `user${view.userIdx}`} {...props} />
    </SplitPane>
  )
}

/** Groups, people and one policy. */
function OnePolicy({ view, setView }: PoliciesProps) {
  const t = useTexts(policiesTexts)
  return (
    <SplitPane
      name="policies.groups"
      label={t('chosenGroup')}
      at="start"
      width={260}
      side={
        <GroupsPane
          selected={view.groupIdx}
          onSelect={(groupIdx) => setView({ groupIdx, userIdx: undefined, field: undefined, isCreating: undefined })}
          isCreating={view.isCreating === true}
          onCreating={() => setView({ isCreating: undefined }, { replace: true })}
          onEdit={(groupIdx) => setView({ groupIdx, userIdx: undefined, tab: 'info' })}
        />
      }
      steps={{
        opened: view.groupIdx && `${view.groupIdx} ${view.userIdx}`,
        close: () => setView({ groupIdx: undefined, userIdx: undefined }),
      }}
    >
      <Chosen view={view} setView={setView} />
    </SplitPane>
  )
}

type Display = 'list' | 'map' | 'report'

export function PoliciesScreen() {
  const t = useTexts(policiesTexts)
  const [view, setView] = useView(PoliciesView)
  const openScreen = useOpenScreen()
  const display: Display = view.isReport ? 'report' : view.isMap ? 'map' : 'list'
  const openException = ({ kind, groupIdx, userIdx, authorityIdx }: ReportedException) => {
    if (authorityIdx !== null) return openScreen('authorities', { idx: authorityIdx })
    setView({
      isReport: false,
      isMap: false,
      groupIdx,
      userIdx: userIdx ?? undefined,
      tab: 'policy',
      part: kind === EndingKind.POLICY ? 'environment' : 'network',
    })
  }
  const open = (group: Group, field: PolicyField | undefined) =>
    setView({
      isMap: false,
      groupIdx: group.idx,
      userIdx: undefined,
      tab: 'policy',
      field,
      ...(field && { part: partOf(field) }),
    })
  return (
    <Page>
      <PageHeader>
        <SegmentedControl<Display>
          size="xs"
          aria-label={t('display')}
          data={[
            { value: 'list', label: t('list') },
            { value: 'map', label: t('map.title') },
            { value: 'report', label: t('report') },
          ]}
          value={display}
          onChange={(next) => setView({ isMap: next === 'map', isReport: next === 'report' })}
        />
      </PageHeader>
      <PageBody>
        {display === 'report' ? (
          <ExceptionReport onOpen={openException} />
        ) : display === 'map' ? (
          <PolicyMap start={view} onOpen={open} />
        ) : (
          <OnePolicy view={view} setView={setView} />
        )}
      </PageBody>
    </Page>
  )
}
