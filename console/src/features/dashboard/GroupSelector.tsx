// Which groups are counted: all by default, or several from the tree, each with its subgroups (spec S2 §6).
import { MAX_DASHBOARD_GROUPS } from '@acc/contract/dashboard'
import { Button, CloseButton } from '@mantine/core'
import { IconSitemap } from '@tabler/icons-react'
import { useState } from 'react'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { GroupsPickerDialog, useGroupIndex } from '../groups/exports.ts'
import css from './Dashboard.module.css'
import { dashboardTexts } from './dashboard.texts.ts'

type Props = { value: readonly number[]; onChange: (groups: number[]) => void }

export function GroupSelector({ value, onChange }: Props) {
  const t = useTexts(dashboardTexts)
  const { find } = useGroupIndex()
  const [isOpen, setOpen] = useState(false)
  const [first] = value
  const one = value.length === 1 && first !== undefined ? find(first)?.name : undefined
  const name = value.length === 0 ? t('allGroups') : (one ?? t('someGroups', { count: value.length }))
  const pick = (groups: number[]) => {
    if (groups.length > MAX_DASHBOARD_GROUPS) {
      void showMessage({ title: t('tooManyGroups'), body: t('tooManyGroupsHint', { max: MAX_DASHBOARD_GROUPS }) })
      return
    }
    onChange(groups)
    setOpen(false)
  }
  return (
    <div className={css.groups}>
      <Button
        variant="default"
        leftSection={<IconSitemap size={14} />}
        aria-label={t('groups', { name })}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <span className={css.name}>{name}</span>
      </Button>
      {value.length > 0 && <CloseButton size="sm" aria-label={t('clearGroups')} onClick={() => onChange([])} />}
      {isOpen && (
        <GroupsPickerDialog
          title={t('chooseGroups')}
          hint={t('chooseGroupsHint')}
          action={t('apply')}
          initial={value}
          onClose={() => setOpen(false)}
          onPick={pick}
        />
      )}
    </div>
  )
}
