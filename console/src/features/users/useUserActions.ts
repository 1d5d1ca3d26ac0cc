// Suspending, resetting and deleting accounts and ending their sessions, with confirmation.
import { api } from '@acc/contract'
import type { ApiError } from '@acc/contract/core/client'
import { MAX_LENGTH } from '@acc/contract/core/limits'
import { Prevention } from '@acc/contract/errorData'
import { withFlag, withoutFlag } from '@acc/contract/labels/flags'
import { UserState } from '@acc/contract/labels/users'
import type { User } from '@acc/contract/users'
import { call } from '../../kit/api/call.ts'
import { markHandled } from '../../kit/api/errors.ts'
import { errorText } from '../../kit/api/errorText.ts'
import { useApiAction } from '../../kit/api/query.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { focusHeading } from '../../kit/browser/keepFocus.ts'
import { confirm, showMessage } from '../../kit/dialogs/dialogs.tsx'
import { showToast, type ToastLink } from '../../kit/dialogs/toast.tsx'
import { useOpenScreen } from '../../kit/layout/view.ts'
import { peopleNames } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { useChangesText } from '../groups/exports.ts'
import { usersTexts } from './users.ts'

/**
 * The mail with a temporary password: where administrators find it, and whether it is delivered at all. Whether mail
 * stays in the evaluation outbox.
 */
export const useIsOutbox = (): boolean => useViewer().configs.usesOutbox === 1

/** With an address its mails alone; a single one is opened. */
export function useSentMailLink(email = ''): ToastLink | undefined {
  const t = useTexts(usersTexts)
  const openScreen = useOpenScreen()
  if (!useViewer().isAdmin) return undefined
  const open = async () => {
    const receiver = email.slice(0, MAX_LENGTH.searchText)
    const found = await call(api.mails.search, { receiver, rowsCount: 2 }).catch(markHandled)
    const [first, second] = found?.items ?? []
    const idx = second === undefined ? first?.idx : undefined
    openScreen('settings', { menu: 'mailServer', tab: 'sent', receiver, idx })
  }
  return { label: t('showMail'), open: () => void open() }
}

export function useSuspend(user: User) {
  const t = useTexts(usersTexts)
  const action = useApiAction(api.users.setDisabled)
  const { idx, name, state } = user
  return {
    isRunning: action.isRunning,
    suspend: async () => {
      const ask = { title: t('suspendTitle'), body: t('suspendBody', { name }), action: t('suspend'), isDanger: true }
      if (!(await confirm(ask))) return
      if (await action.run({ idx, state: withFlag(state, UserState.DISABLED) })) showToast(t('suspendDone', { name }))
    },
    release: async () => {
      if ((await action.run({ idx, state: withoutFlag(state, UserState.DISABLED) })) === undefined) return
      showToast(t('releaseDone', { name }))
      // The button is now the one that suspends.
      focusHeading(name)
    },
  }
}

type Checked = readonly Pick<User, 'idx' | 'id' | 'name'>[]

/** Shows which checked users prevent an action on all. Reports deleted users and those out of reach as missing. */
export function usePreventedBy(title: string, users: Checked, onMissing: (error: ApiError) => void) {
  const t = useTexts(usersTexts)
  return (error: ApiError) => {
    const { data } = Prevention.safeParse(error.data)
    const named = users.filter(({ idx }) => data?.userIdxes.includes(idx))
    if (error.error === 'NOT_ALLOWED' && named.length === 0) return onMissing(error)
    const reason = errorText(error)
    const body = named.length === 0 ? reason : t('atOnce.prevented', { names: peopleNames(named), reason })
    void showMessage({ title, body })
  }
}

/** Suspends and releases the checked users: all of them or none. */
export function useSuspendMany(users: Checked, onDone: () => void, onMissing: (error: ApiError) => void) {
  const t = useTexts(usersTexts)
  const explain = usePreventedBy(t('edit'), users, onMissing)
  const handles = { SELF_ACTION: explain, ADMIN_SELECTED: explain, NOT_ALLOWED: explain }
  const action = useApiAction(api.users.setDisabledOfMany, { handles })
  const run = async (state: number, key: 'suspend' | 'release') => {
    const about = { count: users.length, names: peopleNames(users) }
    const ask = {
      title: t(`${key}Title`),
      body: t(`atOnce.${key}`, about),
      action: t(key),
      isDanger: key === 'suspend',
    }
    if (!(await confirm(ask))) return
    if ((await action.run({ idxes: users.map(({ idx }) => idx), state })) === undefined) return
    showToast(t(`atOnce.${key}Done`, about))
    onDone()
  }
  return {
    isRunning: action.isRunning,
    suspend: () => run(UserState.DISABLED, 'suspend'),
    release: () => run(UserState.NORMAL, 'release'),
  }
}

export function useResetPw({ idx, name, email }: User) {
  const t = useTexts(usersTexts)
  const action = useApiAction(api.users.resetPw, {
    done: useIsOutbox() ? t('resetPwInOutbox') : t('resetPwDone', { email }),
    link: useSentMailLink(email),
  })
  return {
    isRunning: action.isRunning,
    run: async () => {
      const body = t('resetPwBody', { name, email })
      if (await confirm({ title: t('resetPwTitle'), body, action: t('resetPw') })) await action.run({ idx })
    },
  }
}

export function useResetOtp({ idx, name }: User) {
  const t = useTexts(usersTexts)
  const action = useApiAction(api.users.resetTotpSecret, { done: t('resetOtpDone', { name }) })
  return {
    isRunning: action.isRunning,
    run: async () => {
      const body = t('resetOtpBody', { name })
      if (await confirm({ title: t('resetOtp'), body, action: t('resetOtp') })) await action.run({ idx })
    },
  }
}

type NamedUser = Pick<User, 'idx' | 'id' | 'name'>

/** `onRemoved` runs before the lists are refetched, so that the deleted users are not refetched. */
export function useRemoveUsers(onRemoved: (idxes: number[]) => void, onMissing?: (error: ApiError) => void) {
  const t = useTexts(usersTexts)
  const changesText = useChangesText()
  const action = useApiAction(api.users.remove, { handles: onMissing && { NOT_ALLOWED: onMissing } })
  return {
    isRunning: action.isRunning,
    run: async (users: readonly NamedUser[]) => {
      const idxes = users.map(({ idx }) => idx)
      const [first] = users
      const { length: count } = users
      const body =
        count === 1 && first
          ? t('removeOne', { name: first.name })
          : t('removeBody', { count, names: peopleNames(users) })
      const title = t('removeTitle', { count })
      const changes = changesText(await call(api.users.findRemoval, { idxes }).catch(markHandled))
      const asked = changes === undefined ? body : `${body}\n\n${changes}`
      if (!(await confirm({ title, body: asked, action: t('remove'), isDanger: true }))) return
      if ((await action.run({ idxes }, () => onRemoved(idxes))) === undefined) return
      showToast(t('removeDone', { count }))
    },
  }
}
