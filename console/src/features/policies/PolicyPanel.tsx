// The panel of a group or a user: the policy's owner and origin, then the tabs policy and information (spec S1 §2).
import { api } from '@acc/contract'
import { type Group, ROOT_GROUP } from '@acc/contract/groups'
import { Level } from '@acc/contract/labels/access'
import { OwnerType } from '@acc/contract/labels/policies'
import type { Policy } from '@acc/contract/policies'
import { Button, SegmentedControl } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useApiQuery } from '../../kit/api/query.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { HeldRecord } from '../../kit/form/conflictGuard.tsx'
import { Facts, Hint, Pane } from '../../kit/layout/Page.tsx'
import { PaneTabs } from '../../kit/layout/PaneTabs.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { useOpenScreen } from '../../kit/layout/view.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { GroupInfo, GroupManagers, useGroupIndex } from '../groups/exports.ts'
import { HistoryButton } from '../history/exports.ts'
import css from './Policies.module.css'
import { PolicyForm, PolicyValuesPane } from './PolicyForm.tsx'
import { PolicyChain, PolicySwitch } from './PolicyHead.tsx'
import { type Owner, type PoliciesProps, type PolicyPart, policiesTexts } from './policies.ts'
import { usePolicyChanges } from './policyWords.ts'
import { Explained, WhySwitch } from './Why.tsx'

type UserInfoProps = { idx: number; owner: Policy['owner']; group: Group }

/** A short summary of a user; the users screen shows the details. */
function UserInfo({ idx, owner, group }: UserInfoProps) {
  const t = useTexts(policiesTexts)
  const openScreen = useOpenScreen()
  const { runtime } = useViewer()
  const { pathOf } = useGroupIndex()
  return (
    <Pane>
      <Facts
        rows={[
          [t('userId'), owner.id ?? '-'],
          [t('userName'), owner.name],
          [t('userGroup'), pathOf(group.idx).join(' › ') || owner.groupName],
          [t('singlePc'), t(owner.isSinglePC === 1 ? 'on' : 'off')],
        ]}
      />
      {group.maxUser > Level.NONE && runtime.show.account && (
        <div>
          <Button
            variant="default"
            rightSection={<IconArrowRight size={14} />}
            onClick={() => openScreen('users', { idx })}
          >
            {t('openUsers')}
          </Button>
        </div>
      )}
    </Pane>
  )
}

type Props = PoliciesProps & { group: Group }

type BodyProps = { policy: Policy; owner: Owner; canEdit: boolean; part: PolicyPart }

function PolicyBody({ policy, owner, canEdit, part }: BodyProps) {
  const t = useTexts(policiesTexts)
  const changesOf = usePolicyChanges()
  if (canEdit && policy.isMyPolicy === 1)
    return (
      <HeldRecord latest={policy} changesOf={changesOf}>
        {(record) => <PolicyForm policy={record} part={part} owner={owner} />}
      </HeldRecord>
    )
  return <PolicyValuesPane policy={policy} part={part} note={canEdit && <Hint>{t('readOnlyHint')}</Hint>} />
}

/** The tab to show. Managers are those of a group, and for administrators. */
function useTab({ tab, userIdx }: PoliciesProps['view']) {
  const { can } = useViewer()
  const hasManagers = userIdx === undefined && can(api.groups.findManagers.access)
  return { tab: tab === 'managers' && !hasManagers ? 'policy' : tab, hasManagers }
}

function PanelTabs({ view, setView, children }: PoliciesProps & { children: ReactNode }) {
  const t = useTexts(policiesTexts)
  const { tab, hasManagers } = useTab(view)
  const parts = [
    { value: 'environment', label: t('environment') },
    { value: 'network', label: t('network') },
    { value: 'shortcut', label: t('shortcuts') },
  ] satisfies { value: PolicyPart; label: string }[]
  return (
    <PaneTabs
      label={t('tabs')}
      tabs={[
        { value: 'policy', label: t('policy') },
        { value: 'info', label: t('info') },
        ...(hasManagers ? [{ value: 'managers' as const, label: t('managers') }] : []),
      ]}
      value={tab}
      onChange={(tab) => setView({ tab })}
      aside={
        tab === 'policy' && (
          <SegmentedControl<PolicyPart>
            size="xs"
            aria-label={t('parts')}
            data={parts}
            value={view.part}
            onChange={(part) => setView({ part })}
          />
        )
      }
    >
      {children}
    </PaneTabs>
  )
}

/** The policy of the focused user, otherwise of the group. */
export function PolicyPanel({ group, view, setView }: Props) {
  const { userIdx, isExplained } = view
  const { tab } = useTab(view)
  const owner: Owner =
    userIdx === undefined
      ? { ownerIdx: group.idx, ownerType: OwnerType.GROUP }
      : { ownerIdx: userIdx, ownerType: OwnerType.USER }
  const query = useApiQuery(api.policies.find, owner)
  const policy = query.data
  const refresh = async () => (await query.refetch({ cancelRefetch: false })).data
  const canEdit = policy?.owner.isEditable === 1
  const isRoot = owner.ownerType === OwnerType.GROUP && owner.ownerIdx === ROOT_GROUP
  return (
    <section className="fill">
      <header className={css.panelHead}>
        <h2>
          {userIdx === undefined ? group.name : policy?.owner.name}{' '}
          {policy?.owner.id && <small>{policy.owner.id}</small>}
        </h2>
        {policy &&
          (tab === 'info' && userIdx === undefined ? (
            <HistoryButton menu="groupManage" object={{ targetIdx: group.idx }} name={group.name} />
          ) : (
            <HistoryButton
              menu="policyManage"
              object={{ targetIdx: owner.ownerIdx, targetType: owner.ownerType }}
              name={policy.owner.name}
            />
          ))}
        {policy && canEdit && !isRoot && <PolicySwitch policy={policy} owner={owner} refresh={refresh} />}
      </header>
      <div className={css.origins}>
        {policy && (
          <>
            <PolicyChain policy={policy} onGroup={(groupIdx) => setView({ groupIdx, userIdx: undefined })} />
            {tab === 'policy' && (
              // Replaced, which asks nobody about unsaved changes.
              <WhySwitch isOn={isExplained} onSwitch={(isOn) => setView({ isExplained: isOn }, { replace: true })} />
            )}
          </>
        )}
      </div>
      <PanelTabs view={view} setView={setView}>
        {tab === 'managers' ? (
          <GroupManagers group={group} />
        ) : tab === 'info' && userIdx === undefined ? (
          <GroupInfo group={group} />
        ) : (
          <QueryState of={query}>
            {(data) =>
              tab === 'info' && userIdx !== undefined ? (
                <UserInfo idx={userIdx} owner={data.owner} group={group} />
              ) : (
                <Explained owner={owner} isOn={isExplained} aim={view.field}>
                  <PolicyBody policy={data} owner={owner} canEdit={canEdit} part={view.part} />
                </Explained>
              )
            }
          </QueryState>
        )}
      </PanelTabs>
    </section>
  )
}
