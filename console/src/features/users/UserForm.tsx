// Form that edits an account (spec S1 §5). Only a system administrator changes keys and sign-in methods.
import { api } from '@acc/contract'
import { Role } from '@acc/contract/labels/access'
import { LOGIN_TYPE_LABELS, OtpUse } from '@acc/contract/labels/users'
import type { UserDetail } from '@acc/contract/users'
import { Select, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useViewer } from '../../kit/api/viewer.ts'
import { Fields, PaneForm } from '../../kit/form/PaneForm.tsx'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { GroupField } from '../groups/exports.ts'
import { ExpiryField, useExpiryCheck } from './ExpiryField.tsx'
import { usersTexts } from './users.ts'

type Props = { user: UserDetail; head: ReactNode; below: ReactNode }

/**
 * Returns the fields to show. One's own account cannot be moved or extended, a system administrator's never expires.
 * The OTP setting is for others; managers see it.
 */
function useFields(user: UserDetail) {
  const { session, isAdmin } = useViewer()
  const isFree = isAdmin || user.idx !== session.idx
  const isPlain = user.role !== Role.ADMIN
  return {
    hasGroup: isFree,
    hasExpiry: isFree && isPlain,
    hasOtp: isPlain && (!isAdmin || user.idx !== session.idx),
    isAdmin,
  }
}

function useUserForm(user: UserDetail) {
  const t = useTexts(usersTexts)
  const { hasGroup, hasExpiry, hasOtp, isAdmin } = useFields(user)
  const { idx, revision, name, email, groupIdx, isMortal, expireDT, key, loginType, useOtp } = user
  return useApiForm(api.users.update, {
    initial: {
      name,
      email,
      ...(hasGroup ? { groupIdx } : {}),
      ...(hasExpiry ? { isMortal, expireDT } : {}),
      ...(hasOtp && isAdmin ? { useOtp } : {}),
      ...(isAdmin ? { key: key ?? '', loginType } : {}),
    },
    fixed: { idx, revision },
    sends: 'changes',
    fields: { DUPLICATE_EMAIL: 'email', DUPLICATE_KEY: 'key' },
    dialogs: { NO_GROUP: t('noGroup') },
    messages: { name: t('nameFormat'), email: t('emailFormat'), key: t('keyFormat'), expireDT: t('expiryFormat') },
    required: ['name', 'email', 'key'],
    check: useExpiryCheck(user),
    done: t('saved'),
  })
}

const FOLLOWS = 'policy'

/** The setting is moved from one list of exceptions to the other in two steps (127). */
function OtpField({ form, user }: { form: ReturnType<typeof useUserForm>; user: UserDetail }) {
  const t = useTexts(usersTexts)
  const { isAdmin } = useViewer()
  const { error, wrapperProps } = form.field('useOtp')
  const isOther = (use: number) => user.useOtp !== null && user.useOtp !== use
  return (
    <Select<(typeof OtpUse.values)[number] | typeof FOLLOWS>
      label={t('otp')}
      data={[
        { value: FOLLOWS, label: t('otpPolicy') },
        { value: OtpUse.ALWAYS, label: t('otpAlways'), disabled: isOther(OtpUse.ALWAYS) },
        { value: OtpUse.NEVER, label: t('otpNever'), disabled: isOther(OtpUse.NEVER) },
      ]}
      value={(isAdmin ? form.values.useOtp : user.useOtp) ?? FOLLOWS}
      readOnly={!isAdmin}
      description={isAdmin ? user.useOtp !== null && t('otpMove') : t('otpByAdmin')}
      error={error}
      wrapperProps={wrapperProps}
      onChange={(next) => form.set('useOtp', next === FOLLOWS ? null : next)}
    />
  )
}

function AdminFields({ form }: { form: ReturnType<typeof useUserForm> }) {
  const t = useTexts(usersTexts)
  const language = useLanguage()
  const { error, wrapperProps } = form.field('loginType')
  return (
    <>
      <Select
        label={t('loginType')}
        data={Object.entries(LOGIN_TYPE_LABELS).map(([value, label]) => ({ value, label: label[language] }))}
        value={String(form.values.loginType)}
        error={error}
        wrapperProps={wrapperProps}
        onChange={(next) => next !== null && form.set('loginType', Number(next))}
      />
      <TextInput label={t('key')} withAsterisk {...form.field('key')} />
    </>
  )
}

export function UserForm({ user, head, below }: Props) {
  const t = useTexts(usersTexts)
  const form = useUserForm(user)
  const { hasGroup, hasExpiry, hasOtp, isAdmin } = useFields(user)
  const expiry = form.field('expireDT')
  return (
    <PaneForm form={form}>
      {head}
      <Fields>
        <TextInput label={t('name')} withAsterisk autoComplete="off" {...form.field('name')} />
        <TextInput label={t('email')} type="email" withAsterisk autoComplete="off" {...form.field('email')} />
        {hasGroup && <GroupField label={t('group')} required fallback={user.groupName} {...form.field('groupIdx')} />}
        {hasExpiry && (
          <ExpiryField
            value={{ isMortal: form.values.isMortal ?? 0, expireDT: form.values.expireDT ?? null }}
            error={expiry.error}
            wrapperProps={expiry.wrapperProps}
            onBlur={expiry.onBlur}
            onChange={({ isMortal, expireDT }) => {
              form.set('isMortal', isMortal)
              form.set('expireDT', expireDT)
            }}
          />
        )}
        {hasOtp && <OtpField form={form} user={user} />}
        {isAdmin && <AdminFields form={form} />}
      </Fields>
      {below}
    </PaneForm>
  )
}
