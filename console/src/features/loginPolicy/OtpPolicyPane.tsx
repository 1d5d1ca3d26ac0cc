// The OTP policy: the default, and two lists of users exempt from it (spec S2 §2.7, §5).
import { api } from '@acc/contract'
import type { ApiError } from '@acc/contract/core/client'
import type { DataOf } from '@acc/contract/core/route'
import { Role } from '@acc/contract/labels/access'
import type { OtpExceptionUser } from '@acc/contract/loginPolicy'
import type { User } from '@acc/contract/users'
import { Button, Group, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { useApiAction, useApiQuery } from '../../kit/api/query.ts'
import { DialogWindow } from '../../kit/dialogs/DialogWindow.tsx'
import { confirm } from '../../kit/dialogs/dialogs.tsx'
import { showToast } from '../../kit/dialogs/toast.tsx'
import { CheckedPeople, dropMissing, type EditMode, ListActions, useEditMode } from '../../kit/form/editMode.tsx'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { SearchBox } from '../../kit/table/FilterBar.tsx'
import { type Column, PagedTable } from '../../kit/table/PagedTable.tsx'
import { searchFilter, useSearchLabel } from '../../kit/table/search.tsx'
import { kitTexts, peopleNames } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { UserExpiry, UserPickerDialog } from '../users/exports.ts'
import css from './LoginPolicy.module.css'
import { loginPolicyTexts, useHasNoExceptions } from './loginPolicy.ts'

const WORDS = {
  0: { title: 'otp.never', add: 'otp.addNever', known: 'otp.knownNever', inOther: 'otp.inAlways' },
  1: { title: 'otp.always', add: 'otp.addAlways', known: 'otp.knownAlways', inOther: 'otp.inNever' },
} as const

const COLUMNS: Column<typeof api.loginPolicy.searchOtpExceptions>[] = [
  { key: 'name', width: 130, below: { key: 'id' } },
  { key: 'groupName', below: { key: 'email' } },
  { key: 'expireDT', width: 130, render: ({ expireDT }) => <UserExpiry day={expireDT} /> },
]

/** Adds the picked users; the dialog stays open until that succeeds. */
function AddUsers({ useOtp, onClose }: { useOtp: 0 | 1; onClose: () => void }) {
  const t = useTexts(loginPolicyTexts)
  const kit = useTexts(kitTexts)
  const add = useApiAction(api.loginPolicy.addOtpExceptions)
  const pick = async (users: readonly User[]) => {
    const userIdxes = users.map(({ idx }) => idx)
    if ((await add.run({ userIdxes, useOtp })) === undefined) return
    showToast(t('otp.added', { count: users.length }))
    onClose()
  }
  const whyLocked = (user: User) => {
    if (user.role === Role.ADMIN) return t('otp.admin')
    if (user.useOtp === null) return undefined
    return t(user.useOtp === useOtp ? WORDS[useOtp].known : WORDS[useOtp].inOther)
  }
  return (
    <UserPickerDialog
      title={t(WORDS[useOtp].add)}
      action={kit('add')}
      whyLocked={whyLocked}
      isRunning={add.isRunning}
      onClose={onClose}
      onPick={(users) => void pick(users)}
    />
  )
}

/** Removes the checked users after a question, which stays open until that succeeds. */
function RemoveUsers({ mode, onClose }: { mode: EditMode<OtpExceptionUser>; onClose: () => void }) {
  const t = useTexts(loginPolicyTexts)
  const kit = useTexts(kitTexts)
  const users = mode.checked
  const { length: count } = users
  const title = t('otp.removeTitle', { count })
  const noticeMissing = (error: ApiError) =>
    void dropMissing(mode, error, title).then((areLeft) => {
      if (!areLeft) onClose()
    })
  const removal = useApiAction(api.loginPolicy.removeOtpExceptions, { handles: { NOT_ALLOWED: noticeMissing } })
  const remove = async () => {
    if ((await removal.run({ userIdxes: users.map(({ idx }) => idx) })) === undefined) return
    showToast(t('otp.removed', { count }))
    onClose()
    mode.turn(false)
  }
  return (
    <DialogWindow title={title} size={400} onClose={() => !removal.isRunning && onClose()}>
      <Text size="sm">{t('otp.removeBody', { count, names: peopleNames(users) })}</Text>
      <Group justify="flex-end" gap={8} mt={20}>
        <Button variant="default" data-autofocus onClick={onClose}>
          {kit('cancel')}
        </Button>
        <ReasonedButton color="red" isBusy={removal.isRunning} onClick={() => void remove()}>
          {t('otp.remove')}
        </ReasonedButton>
      </Group>
    </DialogWindow>
  )
}

/** Users always without, or always with a one-time password. */
function OtpExceptions({ useOtp }: { useOtp: 0 | 1 }) {
  const t = useTexts(loginPolicyTexts)
  const searchLabel = useSearchLabel(api.loginPolicy.searchOtpExceptions)
  const [search, setSearch] = useState('')
  const [isAdding, setAdding] = useState(false)
  const mode = useEditMode<OtpExceptionUser>()
  const [isRemoving, setRemoving] = useState(false)
  const title = t(WORDS[useOtp].title)
  return (
    <section className={css.exceptions} aria-label={title}>
      <div className={css.listHead}>
        <h3>{title}</h3>
        <CheckedPeople mode={mode} />
        <ListActions
          size="compact-sm"
          mode={mode}
          subject={title}
          isEmpty={useHasNoExceptions(useOtp)}
          editLabel={t('otp.edit')}
          onRemove={() => setRemoving(true)}
          removeLabel={t('otp.remove')}
          onAdd={() => setAdding(true)}
        />
      </div>
      <SearchBox label={searchLabel} value={search} onChange={setSearch} takesSlash={useOtp === 0} />
      <PagedTable
        route={api.loginPolicy.searchOtpExceptions}
        filter={{ useOtp, ...searchFilter(api.loginPolicy.searchOtpExceptions, { search }) }}
        columns={COLUMNS}
        label={title}
        nameOf={({ name }) => name}
        empty={
          search === ''
            ? { title: t('otp.empty'), hint: t('otp.emptyHint') }
            : { title: t('otp.emptyFiltered'), onClear: () => setSearch('') }
        }
        {...mode.selection}
      />
      {isAdding && <AddUsers useOtp={useOtp} onClose={() => setAdding(false)} />}
      {isRemoving && <RemoveUsers mode={mode} onClose={() => setRemoving(false)} />}
    </section>
  )
}

function DefaultOtp({ defaultOtp, userCount }: DataOf<typeof api.loginPolicy.findDefaultOtp>) {
  const t = useTexts(loginPolicyTexts)
  const set = useApiAction(api.loginPolicy.setDefaultOtp, {
    onDone: (_, input) => showToast(t(input.defaultOtp === 1 ? 'otp.defaultOn' : 'otp.defaultOff')),
  })
  const change = async (next: 0 | 1) => {
    const words = next === 1 ? 'otp.defaultOnBody' : 'otp.defaultOffBody'
    const action = t(next === 1 ? 'otp.turnOn' : 'otp.turnOff')
    const ask = { title: t('otp.default'), body: t(words, { count: userCount }), action, isDanger: true }
    if (await confirm(ask)) await set.run({ defaultOtp: next })
  }
  return (
    <Switch
      label={t('otp.default')}
      // The library's label contains the description.
      aria-label={t('otp.default')}
      description={t('otp.defaultHint')}
      checked={defaultOtp === 1}
      aria-busy={set.isRunning || undefined}
      onChange={(event) => void (set.isRunning || change(event.currentTarget.checked ? 1 : 0))}
    />
  )
}

export function OtpPolicyPane() {
  return (
    <QueryState of={useApiQuery(api.loginPolicy.findDefaultOtp, {})}>
      {(setting) => (
        <div className={css.otp}>
          <DefaultOtp {...setting} />
          <div className={css.pair} data-fills>
            <OtpExceptions useOtp={0} />
            <OtpExceptions useOtp={1} />
          </div>
        </div>
      )}
    </QueryState>
  )
}
