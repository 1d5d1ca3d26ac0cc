// One user: state with its reason, account form, PCs, sessions and policy.
import { api } from '@acc/contract'
import { Level, Role } from '@acc/contract/labels/access'
import { hasFlag } from '@acc/contract/labels/flags'
import { formatDay, formatMoment } from '@acc/contract/labels/formats'
import { loginTypeLabel, UserState } from '@acc/contract/labels/users'
import type { UserDetail } from '@acc/contract/users'
import { Badge, Button, Group } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useApiAction, useApiQuery } from '../../kit/api/query.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { type FieldWords, HeldForm } from '../../kit/form/conflictGuard.tsx'
import { guarded } from '../../kit/form/unsaved.ts'
import { CopyButton, CopyLink } from '../../kit/layout/CopyButton.tsx'
import { type Fact, Facts, Pane, Section } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { useOpenScreen } from '../../kit/layout/view.ts'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { useHeadings } from '../../kit/texts/labels.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { useGroupIndex } from '../groups/exports.ts'
import { HistoryButton } from '../history/exports.ts'
import { SessionList } from '../sessions/exports.ts'
import { UserActions } from './UserActions.tsx'
import { UserForm } from './UserForm.tsx'
import { UserPcs } from './UserPcs.tsx'
import css from './Users.module.css'
import { UserStateDot } from './userColumns.tsx'
import { type UsersProps, usersTexts } from './users.ts'
import { useSentMailLink } from './useUserActions.ts'

/** Whether the user has an own policy, with a link to the policy screen. */
function UserPolicy({ user }: { user: UserDetail }) {
  const t = useTexts(usersTexts)
  const openScreen = useOpenScreen()
  const { runtime } = useViewer()
  const { find } = useGroupIndex()
  const isOwn = user.isMyPolicy === 1
  const canOpen = runtime.show.policy && (find(user.groupIdx)?.maxPolicy ?? 0) > 0
  const open = (view: { isExplained?: boolean }) =>
    openScreen('policies', { groupIdx: user.groupIdx, userIdx: user.idx, ...view })
  return (
    <Section title={t('policy')}>
      <Group justify="space-between">
        <StatusDot tone={isOwn ? 'accent' : 'quiet'}>{isOwn ? t('ownPolicy') : t('inherited')}</StatusDot>
        {canOpen && (
          <Group gap={8}>
            <Button size="compact-sm" variant="default" onClick={() => open({ isExplained: true })}>
              {t('whyPolicy')}
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              rightSection={<IconArrowRight size={13} />}
              onClick={() => open({})}
            >
              {t('openPolicy')}
            </Button>
          </Group>
        )}
      </Group>
    </Section>
  )
}

type GroupPathProps = { groupIdx: number; fallback: string; onGroup: (groupIdx: number) => void }

/** The path of a user's group from the root; a click on a group filters the list by it. */
function GroupPath({ groupIdx, fallback, onGroup }: GroupPathProps) {
  const t = useTexts(usersTexts)
  const { chainOf } = useGroupIndex()
  const path = chainOf(groupIdx)
  if (path.length === 0) return fallback
  return (
    <span className={css.groupPath}>
      {path.map(({ idx, name, maxUser }, at) => (
        <span key={idx}>
          {at > 0 && ' › '}
          {maxUser > Level.NONE ? (
            <button type="button" title={t('filterByGroup', { name })} onClick={() => onGroup(idx)}>
              {name}
            </button>
          ) : (
            name
          )}
        </span>
      ))}
    </span>
  )
}

/** A user's open sessions; each can be ended. */
function UserSessions({ user }: { user: UserDetail }) {
  const t = useTexts(usersTexts)
  const action = useApiAction(api.users.endSession, { done: t('endDone') })
  const { sessions } = user
  return (
    <Section title={sessions.length === 0 ? t('sessionsTitle') : t('sessions', { count: sessions.length })}>
      <SessionList
        sessions={sessions}
        owner={user.name}
        guard={guarded}
        onEnd={user.isEditable === 1 ? ({ idx }) => action.run({ idx: user.idx, sessionIdx: idx }) : undefined}
      />
    </Section>
  )
}

type Props = { user: UserDetail; setView: UsersProps['setView'] }

/** The reasons why an account cannot be used; each has its own text. */
const REASONS = ['managed', 'loginFailsExceeded', 'otpFailsExceeded', 'expired'] as const

/** The words of what the form shows, besides the name, to those who may not edit it as well. */
function useAccountWords() {
  const t = useTexts(usersTexts)
  const language = useLanguage()
  return (user: UserDetail): FieldWords => [
    [t('email'), user.email, 'email'],
    [t('expires'), user.isMortal === 1 ? formatDay(user.expireDT) : t('never'), 'isMortal', 'expireDT'],
    [t('loginType'), loginTypeLabel(user.loginType)[language], 'loginType'],
  ]
}

function otpSetting(useOtp: UserDetail['useOtp']) {
  if (useOtp === null) return 'otpPolicy'
  return useOtp === 1 ? 'otpAlways' : 'otpNever'
}

/** Name, state and actions, then the read-only fields. */
function Head({ user, setView }: Props) {
  const t = useTexts(usersTexts)
  const heading = useHeadings(api.users.search)
  const language = useLanguage()
  const mail = useSentMailLink(user.email)
  const setting = t(otpSetting(user.useOtp))
  const accountWords = useAccountWords()
  return (
    <>
      <div className={css.head}>
        <h2>{user.name}</h2>
        <CopyLink idx={user.idx} />
        {user.role !== Role.USER && (
          <Badge variant="light" radius="sm" tt="none">
            {Role.labels[user.role][language]}
          </Badge>
        )}
        <UserStateDot user={user} />
        <HistoryButton menu="userManage" object={{ targetIdx: user.idx }} name={user.name} />
      </div>
      <div className={css.under}>
        {user.id}
        <CopyButton value={user.id} />
        <GroupPath
          groupIdx={user.groupIdx}
          fallback={user.groupPath.join(' › ') || user.groupName}
          onGroup={(groupIdx) => setView({ groupIdx, groups: [] }, { replace: true })}
        />
      </div>
      {REASONS.filter((reason) => user.description[reason] === 1).map((reason) => (
        <p key={reason} className="notice" data-tone="warn">
          {t(`reason.${reason}`)}
        </p>
      ))}
      {mail && hasFlag(user.state, UserState.NEW) && (
        <Button
          size="compact-sm"
          variant="default"
          mb={12}
          rightSection={<IconArrowRight size={13} />}
          onClick={mail.open}
        >
          {mail.label}
        </Button>
      )}
      <UserActions user={user} setView={setView} />
      <Facts
        rows={[
          ...(user.isEditable === 0 ? accountWords(user).map(([label, value]): Fact => [label, value]) : []),
          [heading('lastClientLoginDT'), formatMoment(user.lastClientLoginDT)],
          [t('otp'), t(user.isOtpRegistered === 1 ? 'otpRegistered' : 'otpUnregistered', { setting })],
        ]}
      />
    </>
  )
}

function Detail({ user, setView }: Props) {
  const t = useTexts(usersTexts)
  const accountWords = useAccountWords()
  const wordsOf = (one: UserDetail): FieldWords => [
    [t('name'), one.name, 'name'],
    [t('group'), one.groupPath.join(' › '), 'groupIdx'],
    ...accountWords(one),
    [t('otp'), t(otpSetting(one.useOtp)), 'useOtp'],
    [t('key'), one.key ?? null, 'key'],
  ]
  const head = <Head user={user} setView={setView} />
  const below = (
    <>
      <UserPcs user={user} />
      <UserSessions user={user} />
      <UserPolicy user={user} />
    </>
  )
  if (user.isEditable === 0)
    return (
      <Pane>
        {head}
        {below}
      </Pane>
    )
  return (
    <HeldForm latest={user} wordsOf={wordsOf}>
      {(record) => <UserForm user={record} head={head} below={below} />}
    </HeldForm>
  )
}

export function UserPane({ idx, setView }: { idx: number; setView: UsersProps['setView'] }) {
  return (
    <QueryState of={useApiQuery(api.users.find, { idx })}>
      {(user) => <Detail user={user} setView={setView} />}
    </QueryState>
  )
}
