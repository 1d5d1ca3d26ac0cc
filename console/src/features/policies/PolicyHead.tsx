// Where a policy comes from: the chain from the root to the owner, the applied policy and its reach. Also the switch
// between an own and the inherited policy, with confirmation (spec S1 §4).
import { api } from '@acc/contract'
import { OwnerType } from '@acc/contract/labels/policies'
import type { Policy } from '@acc/contract/policies'
import { Button, SegmentedControl, Text, Tooltip } from '@mantine/core'
import { IconAdjustments, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useApiAction } from '../../kit/api/query.ts'
import { confirm } from '../../kit/dialogs/dialogs.tsx'
import { guarded } from '../../kit/form/unsaved.ts'
import { BeforeAfter } from '../../kit/layout/BeforeAfter.tsx'
import { Hint } from '../../kit/layout/Page.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { EndDialog, useEndText } from '../ends/exports.ts'
import { useReach } from '../groups/exports.ts'
import css from './Policies.module.css'
import { type Owner, policiesTexts } from './policies.ts'
import { useMarkedChanges } from './policyWords.ts'

type ChainProps = { policy: Policy; onGroup: (groupIdx: number) => void }

export function PolicyChain({ policy, onGroup }: ChainProps) {
  const t = useTexts(policiesTexts)
  const { chain, reach } = policy
  const applies = chain.findLastIndex((link) => link.isMyPolicy === 1)
  const isUser = chain.at(-1)?.ownerType === OwnerType.USER
  const reaches = useReach(reach)
  const endText = useEndText()
  return (
    <div>
      <ol className={css.chain} aria-label={t('chain')}>
        {chain.map((link, at) => {
          const { ownerIdx } = link
          const isLast = at === chain.length - 1
          return (
            <li key={`${link.ownerType}.${ownerIdx ?? at}`} data-applies={at === applies || undefined}>
              {at > 0 && <IconChevronRight size={12} aria-hidden />}
              {ownerIdx === null || isLast || link.ownerType === OwnerType.USER ? (
                <span>{link.ownerName}</span>
              ) : (
                <button type="button" onClick={() => onGroup(ownerIdx)}>
                  {link.ownerName}
                </button>
              )}
              {link.isMyPolicy === 1 && (
                <Tooltip label={at === applies ? t('appliesHere') : t('ownPolicy')}>
                  <IconAdjustments size={13} role="img" aria-label={t('ownPolicy')} />
                </Tooltip>
              )}
            </li>
          )
        })}
      </ol>
      <p>
        {policy.isMyPolicy === 1
          ? chain.length === 1 && !isUser
            ? t('rootPolicy')
            : t('own')
          : t('inheritsFrom', { name: policy.ownerName })}
        {isUser ? policy.isMyPolicy === 1 && ` · ${t('reachUser')} · ${endText(policy)}` : ` · ${t('reach', reaches)}`}
      </p>
    </div>
  )
}

/** Reads the policy again; undefined if it cannot be read. */
type Refresh = () => Promise<Policy | undefined>

function useSwitch(shown: Policy, owner: Owner, refresh: Refresh) {
  const t = useTexts(policiesTexts)
  const changesOf = useMarkedChanges()
  const choices = { done: t('switched') }
  const group = useApiAction(api.groups.setIsMyPolicy, choices)
  const user = useApiAction(api.users.setIsMyPolicy, choices)
  const reach = useReach(shown.reach)
  const askInherit = (policy: Policy) => {
    const { above, aboveOwnerName } = policy
    const name = aboveOwnerName ?? ''
    const rows = above === null ? [] : changesOf(policy, above).changes
    return confirm({
      title: t('toInheritTitle'),
      body: (
        <>
          <Text size="sm" mb={12}>
            {t('toInheritBody', { name })}
          </Text>
          {owner.ownerType === OwnerType.GROUP && (
            <Text size="sm" mb={12}>
              {t('toInheritReach', reach)}
            </Text>
          )}
          {rows.length === 0 ? <Hint>{t('toInheritSame', { name })}</Hint> : <BeforeAfter changes={rows} />}
        </>
      ),
      action: t('toInherit'),
      isDanger: rows.length > 0,
    })
  }
  const askOwn = ({ ownerName }: Policy) =>
    confirm({ title: t('toOwnTitle'), body: t('toOwnBody', { name: ownerName }), action: t('toOwn') })
  const send = (isMyPolicy: 0 | 1) =>
    owner.ownerType === OwnerType.GROUP
      ? group.run({ idx: owner.ownerIdx, isMyPolicy })
      : user.run({ idx: owner.ownerIdx, isMyPolicy })
  return {
    isRunning: group.isRunning || user.isRunning,
    to: async (isMyPolicy: 0 | 1) => {
      // What is shown may be from before a change that was saved a moment ago.
      const policy = (await refresh()) ?? shown
      if (await (isMyPolicy === 1 ? askOwn(policy) : askInherit(policy))) await send(isMyPolicy)
    },
  }
}

/** Sets the end of a person's own policy, a new one or the stored one. */
function OwnEndDialog({ policy, owner, onClose }: { policy: Policy; owner: Owner; onClose: () => void }) {
  const t = useTexts(policiesTexts)
  const isOwn = policy.isMyPolicy === 1
  const action = useApiAction(api.users.setIsMyPolicy, { done: t(isOwn ? 'endChanged' : 'switched') })
  return (
    <EndDialog
      title={t(isOwn ? 'changeEnd' : 'toOwnTitle')}
      {...(!isOwn && { body: t('toOwnBody', { name: policy.ownerName }), action: t('toOwn') })}
      stored={isOwn ? policy : undefined}
      isRunning={action.isRunning}
      onApply={async (end) => {
        if ((await action.run({ idx: owner.ownerIdx, isMyPolicy: 1, ...end })) !== undefined) onClose()
      }}
      onClose={onClose}
    />
  )
}

export function PolicySwitch({ policy, owner, refresh }: { policy: Policy; owner: Owner; refresh: Refresh }) {
  const t = useTexts(policiesTexts)
  const change = useSwitch(policy, owner, refresh)
  const [isEnding, setEnding] = useState(false)
  const isUser = owner.ownerType === OwnerType.USER
  const switchTo = (value: 0 | 1) => {
    if (change.isRunning || value === policy.isMyPolicy) return
    if (isUser && value === 1) setEnding(true)
    else void change.to(value)
  }
  return (
    <>
      {isUser && policy.isMyPolicy === 1 && (
        <Button size="compact-xs" variant="default" onClick={guarded(() => setEnding(true))}>
          {t('changeEnd')}
        </Button>
      )}
      <SegmentedControl<0 | 1>
        size="xs"
        aria-label={t('mode')}
        data={[
          { value: 0, label: t('inherited') },
          { value: 1, label: t('own') },
        ]}
        aria-busy={change.isRunning || undefined}
        value={policy.isMyPolicy}
        onChange={guarded(switchTo)}
      />
      {isEnding && <OwnEndDialog policy={policy} owner={owner} onClose={() => setEnding(false)} />}
    </>
  )
}
