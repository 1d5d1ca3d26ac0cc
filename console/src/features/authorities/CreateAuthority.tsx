// Creating an authority, empty or as a copy: its members in the middle, its form on the right.
import { api } from '@acc/contract'
import { NO_END, type StoredEnd } from '@acc/contract/ends'
import type { User } from '@acc/contract/users'
import { useState } from 'react'
import { FormFrame } from '../../kit/form/PaneForm.tsx'
import { SaveBar } from '../../kit/form/SaveBar.tsx'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { Pane } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { SplitPane } from '../../kit/layout/SplitPane.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { AuthorityFields } from './AuthorityFields.tsx'
import {
  type AuthorityValues,
  ascending,
  authoritiesTexts,
  missingIn,
  NO_VALUES,
  useAuthority,
  valuesOf,
} from './authorities.ts'
import { MembersPane } from './MembersPane.tsx'

type Start = AuthorityValues & { ends: ({ userIdx: number } & StoredEnd)[] }
type Props = { start: Start; onCreated: (idx: number) => void }

function CreateForm({ start, onCreated }: Props) {
  const t = useTexts(authoritiesTexts)
  const [known, setKnown] = useState<User[]>([])
  const form = useApiForm(api.authorities.create, {
    initial: start,
    notDrafted: ['userIdxes', 'ends'],
    fields: { DUPLICATE_NAME: 'name', NO_GROUP: 'groupIdxes', ADMIN_SELECTED: 'userIdxes' },
    texts: { DUPLICATE_NAME: t('duplicateName') },
    messages: { name: t('nameFormat'), policy: t('allBlocked') },
    done: t('created'),
    onDone: ({ idx }) => onCreated(idx),
  })
  const { userIdxes, ends } = form.values
  const setEnds = (users: readonly { idx: number }[], end?: StoredEnd) => {
    const named = new Set(users.map(({ idx }) => idx))
    const others = ends.filter(({ userIdx }) => !named.has(userIdx))
    form.set('ends', end ? [...others, ...users.map(({ idx }) => ({ userIdx: idx, ...end }))] : others)
    return true
  }
  const endOf = (idx: number): StoredEnd => ends.find(({ userIdx }) => userIdx === idx) ?? NO_END
  const add = (users: User[], end: StoredEnd) => {
    setKnown([...known, ...users])
    setEnds(users, end)
    form.set('userIdxes', ascending([...userIdxes, ...users.map(({ idx }) => idx)]))
    return true
  }
  const remove = (users: readonly { idx: number }[]) => {
    const gone = new Set(users.map(({ idx }) => idx))
    setEnds(users)
    form.set(
      'userIdxes',
      userIdxes.filter((idx) => !gone.has(idx)),
    )
    return true
  }
  const missing = missingIn(form.values)
  return (
    <FormFrame form={form} isNew>
      <SplitPane
        name="authorities.form"
        label={t('newAuthority')}
        at="end"
        width={380}
        min={340}
        side={
          <Pane
            title={t('newAuthority')}
            foot={<SaveBar form={form} label={t('create')} whyDisabled={missing && t(missing)} />}
          >
            <AuthorityFields form={form} />
          </Pane>
        }
      >
        <MembersPane
          members={known
            .filter(({ idx }, at) => userIdxes.includes(idx) && known.findIndex((u) => u.idx === idx) === at)
            .map((user) => ({ ...user, ...endOf(user.idx) }))}
          onAdd={add}
          onEnd={setEnds}
          onRemove={remove}
          error={form.field('userIdxes').error}
          emptyHint={t('newAdminsHint')}
        />
      </SplitPane>
    </FormFrame>
  )
}

function CopyAuthority({ idx, onCreated }: { idx: number; onCreated: (idx: number) => void }) {
  const t = useTexts(authoritiesTexts)
  return (
    <QueryState of={useAuthority(idx)} loading={t('loading')} failed={t('loadFailed')}>
      {(authority) => (
        <CreateForm start={{ ...valuesOf(authority), name: '', userIdxes: [], ends: [] }} onCreated={onCreated} />
      )}
    </QueryState>
  )
}

export function CreateAuthority({
  copyOf,
  onCreated,
}: {
  copyOf: number | undefined
  onCreated: (idx: number) => void
}) {
  if (copyOf === undefined) return <CreateForm start={{ ...NO_VALUES, ends: [] }} onCreated={onCreated} />
  return <CopyAuthority key={copyOf} idx={copyOf} onCreated={onCreated} />
}
