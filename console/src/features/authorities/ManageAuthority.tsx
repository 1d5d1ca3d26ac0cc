// Managing an authority: its members in the middle, its form on the right (spec S2 §2.1).
import { api } from '@acc/contract'
import type { Authority } from '@acc/contract/authorities'
import type { ApiError } from '@acc/contract/core/client'
import type { StoredEnd } from '@acc/contract/ends'
import { Level, PAGE_LABELS, PAGES } from '@acc/contract/labels/access'
import { errorText } from '../../kit/api/errorText.ts'
import { refresh, useApiAction } from '../../kit/api/query.ts'
import { confirm, showMessage } from '../../kit/dialogs/dialogs.tsx'
import { showToast } from '../../kit/dialogs/toast.tsx'
import { type FieldWords, HeldForm } from '../../kit/form/conflictGuard.tsx'
import { PaneForm } from '../../kit/form/PaneForm.tsx'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { guarded } from '../../kit/form/unsaved.ts'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { SplitPane } from '../../kit/layout/SplitPane.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useLabel } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { useEndText } from '../ends/exports.ts'
import { useNeededWords } from '../groups/exports.ts'
import { HistoryButton } from '../history/exports.ts'
import { AuthorityFields } from './AuthorityFields.tsx'
import { authoritiesTexts, missingIn, useAuthority, valuesOf } from './authorities.ts'
import { MembersPane } from './MembersPane.tsx'

function useRemove(authority: Authority, onRemoved: () => void) {
  const t = useTexts(authoritiesTexts)
  const kit = useTexts(kitTexts)
  const needed = useNeededWords()
  const showNeeded = ({ data }: ApiError) => void showMessage({ title: needed.title, body: needed.textOf(data) })
  const remove = useApiAction(api.authorities.remove, { handles: { AUTHORITY_IN_USE: showNeeded } })
  const ask = async () => {
    const { name, users } = authority
    const body = users.length === 0 ? t('removeUnused', { name }) : t('removeBody', { name, count: users.length })
    if (!(await confirm({ title: t('removeTitle'), body, action: kit('remove'), isDanger: true }))) return
    // Close the pane first, since fetching the deleted authority would fail.
    if ((await remove.run({ idx: authority.idx }, onRemoved)) === undefined) return
    showToast(t('removed', { name: authority.name }))
  }
  return { ask: guarded(() => void ask()), isRunning: remove.isRunning }
}

function UpdateForm({ authority, onRemoved }: { authority: Authority; onRemoved: () => void }) {
  const t = useTexts(authoritiesTexts)
  const kit = useTexts(kitTexts)
  const remove = useRemove(authority, onRemoved)
  const needed = useNeededWords()
  const { idx, revision } = authority
  const form = useApiForm(api.authorities.update, {
    initial: valuesOf(authority),
    fixed: { idx, revision },
    fields: { DUPLICATE_NAME: 'name', NO_GROUP: 'groupIdxes' },
    texts: { DUPLICATE_NAME: t('duplicateName'), AUTHORITY_IN_USE: needed.textOf },
    dialogs: { AUTHORITY_IN_USE: needed.title },
    messages: { name: t('nameFormat'), policy: t('allBlocked') },
  })
  const missing = form.isDirty ? missingIn(form.values) : undefined
  const actions = (
    <>
      <HistoryButton menu="authManage" object={{ targetIdx: idx }} name={authority.name} />
      <ReasonedButton variant="subtle" color="red" size="compact-sm" isBusy={remove.isRunning} onClick={remove.ask}>
        {kit('remove')}
      </ReasonedButton>
    </>
  )
  return (
    <PaneForm form={form} title={authority.name} aside={actions} whyDisabled={missing && t(missing)}>
      <AuthorityFields form={form} groups={authority.groups} />
    </PaneForm>
  )
}

function useWordsOf(): (authority: Authority) => FieldWords {
  const t = useTexts(authoritiesTexts)
  const labelOf = useLabel()
  const endText = useEndText()
  return (one) => [
    [t('name'), one.name, 'name'],
    [t('description'), one.description, 'description'],
    ...PAGES.map((page) => [labelOf(PAGE_LABELS[page]), labelOf(Level.labels[one[page]]), page] as const),
    [t('groups'), one.groups.map(({ path }) => path.join(' › ')).join(', '), 'groupIdxes'],
    [t('admins'), one.users.map((user) => `${user.name} (${user.id}) · ${endText(user)}`).join(', '), 'userIdxes'],
  ]
}

function Members({ authority }: { authority: Authority }) {
  const t = useTexts(authoritiesTexts)
  const showChanged = (error: unknown) => {
    void showMessage({ title: t('errorOccurred'), body: errorText(error) })
    void refresh(api.authorities.setMembers.changes)
  }
  const action = useApiAction(api.authorities.setMembers, {
    handles: { CHANGED_MEANWHILE: showChanged },
  })
  const { idx, revision, users } = authority
  const idxes = users.map((user) => user.idx)
  const set = async (userIdxes: number[], done: string, ends: ({ userIdx: number } & StoredEnd)[] = []) => {
    const answer = await action.run({ idx, revision, userIdxes, ends })
    if (answer !== undefined) showToast(done)
    return answer !== undefined
  }
  return (
    <MembersPane
      members={users}
      guard={guarded}
      isRunning={action.isRunning}
      emptyHint={t('noAdminsHint')}
      onAdd={(added, end) =>
        set(
          [...new Set([...idxes, ...added.map((user) => user.idx)])],
          t('added', { count: added.length }),
          added.map((user) => ({ userIdx: user.idx, ...end })),
        )
      }
      onEnd={(changed, end) =>
        set(
          idxes,
          t('endChanged', { count: changed.length }),
          changed.map((user) => ({ userIdx: user.idx, ...end })),
        )
      }
      onRemove={async (removed) => {
        const gone = new Set(removed.map((user) => user.idx))
        const body = t('removeAdminsBody', { count: gone.size })
        const ask = { title: t('removeAdminsTitle', { count: gone.size }), body, action: t('exclude'), isDanger: true }
        if (!(await confirm(ask))) return false
        return set(
          idxes.filter((one) => !gone.has(one)),
          t('removedAdmins', { count: gone.size }),
        )
      }}
    />
  )
}

export function ManageAuthority({ idx, onRemoved }: { idx: number; onRemoved: () => void }) {
  const t = useTexts(authoritiesTexts)
  const query = useAuthority(idx)
  const wordsOf = useWordsOf()
  return (
    <SplitPane
      name="authorities.form"
      label={t('form')}
      at="end"
      width={380}
      min={340}
      side={
        <QueryState of={query} loading={t('loading')} failed={t('loadFailed')}>
          {(authority) => (
            <HeldForm latest={authority} wordsOf={wordsOf}>
              {(record) => <UpdateForm authority={record} onRemoved={onRemoved} />}
            </HeldForm>
          )}
        </QueryState>
      }
    >
      {query.data && <Members authority={query.data} />}
    </SplitPane>
  )
}
