// Dialog that creates a subgroup (spec S1 §5).
import { api } from '@acc/contract'
import type { Group } from '@acc/contract/groups'
import { TextInput } from '@mantine/core'
import { useViewer } from '../../kit/api/viewer.ts'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { groupsTexts } from './groups.texts.ts'

type Props = { parent: Group; onClose: () => void; onCreated: (idx: number) => void }

export function CreateGroupDialog({ parent, onClose, onCreated }: Props) {
  const t = useTexts(groupsTexts)
  const { isAdmin } = useViewer()
  const form = useApiForm(api.groups.create, {
    initial: { name: '', description: '', key: '' },
    fixed: { parentIdx: parent.idx },
    fields: { DUPLICATE_NAME: 'name', NO_GROUP: 'name', DUPLICATE_KEY: 'key' },
    messages: { name: t('nameFormat'), description: t('descriptionFormat'), key: t('keyFormat') },
    done: t('created'),
    onDone: ({ idx }) => onCreated(idx),
  })
  return (
    <FormDialog
      title={t('createTitle', { name: parent.name })}
      action={t('create')}
      form={form}
      whyDisabled={form.whyDisabled}
      onClose={onClose}
      isNew
    >
      <TextInput label={t('name')} withAsterisk data-autofocus {...form.field('name')} />
      <TextInput label={t('description')} {...form.field('description')} />
      {isAdmin && <TextInput label={t('key')} placeholder={t('keyHint')} {...form.field('key')} />}
    </FormDialog>
  )
}
