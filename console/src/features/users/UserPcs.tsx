// A user's registered PCs, each of which uses a license, and the limit to one PC.
import { api } from '@acc/contract'
import { formatDay, formatMoment } from '@acc/contract/labels/formats'
import type { UserDetail } from '@acc/contract/users'
import { Box, Switch, Text } from '@mantine/core'
import { useApiAction } from '../../kit/api/query.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { confirm } from '../../kit/dialogs/dialogs.tsx'
import { showToast } from '../../kit/dialogs/toast.tsx'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { guarded } from '../../kit/form/unsaved.ts'
import { Hint, Section } from '../../kit/layout/Page.tsx'
import { type ShortColumn, ShortTable } from '../../kit/table/ShortTable.tsx'
import { useHeadings } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { usersTexts } from './users.ts'

type Props = { user: UserDetail }

function SinglePc({ user, canEdit }: Props & { canEdit: boolean }) {
  const t = useTexts(usersTexts)
  const action = useApiAction(api.users.setIsSinglePC)
  const isOn = user.isSinglePC === 1
  const change = async () => {
    if (await action.run({ idx: user.idx, isSinglePC: isOn ? 0 : 1 })) showToast(t(isOn ? 'singlePcOff' : 'singlePcOn'))
  }
  if (!canEdit)
    return (
      <Text size="sm">
        {t('singlePc')}: {isOn ? t('on') : t('off')}
      </Text>
    )
  return (
    <Switch
      label={t('singlePc')}
      // The library's label contains the description.
      aria-label={t('singlePc')}
      description={t('singlePcHint')}
      checked={isOn}
      aria-busy={action.isRunning || undefined}
      onChange={guarded(() => void (action.isRunning || change()))}
    />
  )
}

export function UserPcs({ user }: Props) {
  const t = useTexts(usersTexts)
  const heading = useHeadings(api.licenses.searchUses)
  const { session, isAdmin } = useViewer()
  const { idx, name, usingDevices } = user
  const count = usingDevices.length
  const columns: ShortColumn<UserDetail['usingDevices'][number]>[] = [
    { key: 'name', title: heading('deviceName'), render: ({ deviceName }) => deviceName },
    { key: 'ip', title: heading('deviceIp'), isOneLine: true, render: ({ ip }) => ip },
    { key: 'version', title: heading('clientVersion'), render: ({ clientVersion }) => clientVersion },
    {
      key: 'useDT',
      title: heading('useDT'),
      isOneLine: true,
      render: ({ useDT }) => <span title={formatMoment(useDT)}>{formatDay(useDT)}</span>,
    },
  ]
  const action = useApiAction(api.users.resetLicense, { done: t('resetPcsDone', { count }) })
  const reset = async () => {
    const body = t('resetPcsBody', { name, count })
    const ask = { title: t('resetPcsTitle', { count }), body, action: t('resetPcs', { count }), isDanger: true }
    if (await confirm(ask)) await action.run({ idx })
  }
  // A manager's PCs are managed by an administrator.
  const canEdit = user.isEditable === 1 && (isAdmin || idx !== session.idx)
  return (
    <Section
      title={count === 0 ? t('pcsTitle') : t('pcs', { count })}
      aside={
        canEdit &&
        count > 0 && (
          <ReasonedButton
            size="compact-xs"
            variant="default"
            isBusy={action.isRunning}
            onClick={guarded(() => void reset())}
          >
            {t('resetPcs', { count })}
          </ReasonedButton>
        )
      }
    >
      {count === 0 ? (
        <Hint>{t('noPcs')}</Hint>
      ) : (
        <ShortTable label={t('pcsTitle')} rows={usingDevices} columns={columns} rowsPerPage={10} />
      )}
      <Box mt={12}>
        <SinglePc user={user} canEdit={canEdit} />
      </Box>
    </Section>
  )
}
