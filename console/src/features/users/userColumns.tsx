// The columns of the list of users.

import type { api } from '@acc/contract'
import { Role } from '@acc/contract/core/access'
import { formatDay, formatMoment } from '@acc/contract/labels/formats'
import { IconShieldCheck, IconUserCog } from '@tabler/icons-react'
import type { Column } from '../../kit/table/PagedTable.tsx'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Users.module.css'
import { userStatus } from './userStatus.ts'
import { usersTexts } from './users.texts.ts'

export function useUserColumns(): Column<typeof api.users.search>[] {
  const t = useTexts(usersTexts)
  return [
    {
      key: 'state',
      title: t('state'),
      width: 128,
      isSortable: true,
      render: (user) => {
        const { word, tone } = userStatus(user)
        return <StatusDot tone={tone}>{t(word)}</StatusDot>
      },
    },
    {
      key: 'name',
      title: t('name'),
      width: 130,
      isSortable: true,
      render: ({ name, role }) =>
        role === Role.USER ? (
          name
        ) : (
          <>
            {name}{' '}
            {role === Role.ADMIN ? (
              <IconShieldCheck size={14} className={css.role} role="img" aria-label={t('admin')} />
            ) : (
              <IconUserCog size={14} className={css.role} role="img" aria-label={t('manager')} />
            )}
          </>
        ),
    },
    { key: 'id', title: t('id'), width: 110, isSortable: true },
    { key: 'groupName', title: t('group'), isSortable: true },
    { key: 'email', title: t('email'), width: 190, isSortable: true },
    {
      key: 'expireDT',
      title: t('expires'),
      width: 105,
      isSortable: true,
      render: ({ isMortal, expireDT }) =>
        isMortal === 1 ? formatDay(expireDT) : <span className={css.quiet}>{t('never')}</span>,
    },
    {
      key: 'usingDevices',
      title: t('devices'),
      width: 56,
      align: 'right',
      render: ({ usingDevices }) => usingDevices.length,
    },
    {
      key: 'lastClientLoginDT',
      title: t('lastSignIn'),
      width: 165,
      isSortable: true,
      render: ({ lastClientLoginDT }) => formatMoment(lastClientLoginDT),
    },
  ]
}
