// Which groups a screen shows: all by default, or several from the tree, each with its subgroups (spec S2 §6).
import { MAX_CHOSEN_GROUPS } from '@acc/contract/core/chosenGroups'
import { Button, CloseButton, Group } from '@mantine/core'
import { IconSitemap } from '@tabler/icons-react'
import { useState } from 'react'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { GroupsPickerDialog } from './GroupPickerDialog.tsx'
import css from './Groups.module.css'
import { groupsTexts, useGroupIndex } from './groups.ts'

/** Returns how a choice of groups is called: the name of a single one, otherwise their number. */
export function useChosenName(): (groups: readonly number[]) => string {
  const t = useTexts(groupsTexts)
  const { find } = useGroupIndex()
  return (groups) => {
    const [first] = groups
    const one = groups.length === 1 && first !== undefined ? find(first)?.name : undefined
    return groups.length === 0 ? t('allGroups') : (one ?? t('someGroups', { count: groups.length }))
  }
}

type Props = {
  value: readonly number[]
  onChange: (groups: number[]) => void
  /** What a choice does, said in the dialog. */
  hint: string
}

export function GroupSelector({ value, onChange, hint }: Props) {
  const t = useTexts(groupsTexts)
  const [isOpen, setOpen] = useState(false)
  const name = useChosenName()(value)
  const pick = (groups: number[]) => {
    if (groups.length > MAX_CHOSEN_GROUPS) {
      void showMessage({ title: t('tooManyGroups'), body: t('tooManyGroupsHint', { max: MAX_CHOSEN_GROUPS }) })
      return
    }
    onChange(groups)
    setOpen(false)
  }
  return (
    <Group gap={2} wrap="nowrap">
      <Button
        variant="default"
        leftSection={<IconSitemap size={14} />}
        aria-label={t('chosenGroups', { name })}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <span className={css.chosenName}>{name}</span>
      </Button>
      {value.length > 0 && <CloseButton size="sm" aria-label={t('clearGroups')} onClick={() => onChange([])} />}
      {isOpen && (
        <GroupsPickerDialog
          title={t('chooseGroups')}
          hint={hint}
          action={t('apply')}
          initial={value}
          onClose={() => setOpen(false)}
          onPick={pick}
        />
      )}
    </Group>
  )
}
