// Details of a group: name, description and key, editable if the viewer may, and its path.
import { api } from '@acc/contract'
import { type Group, ROOT_GROUP } from '@acc/contract/groups'
import { Level } from '@acc/contract/labels/access'
import { TextInput } from '@mantine/core'
import { useViewer } from '../../kit/api/viewer.ts'
import { HeldForm } from '../../kit/form/conflictGuard.tsx'
import { Fields, PaneForm } from '../../kit/form/PaneForm.tsx'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { type Fact, Facts, Pane } from '../../kit/layout/Page.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { groupsTexts, useAuthGroups, useGroupIndex } from './groups.ts'

function usePlace(group: Group): (Fact | false)[] {
  const t = useTexts(groupsTexts)
  const { pathOf } = useGroupIndex()
  const above = pathOf(group.idx).slice(0, -1)
  const marks = [
    ...(group.isSync === 1 ? [t('markSync')] : []),
    ...(group.isDmsParent === 1 ? [t('markDmsRoot')] : []),
    ...(group.isUnderDmsParent === 1 ? [t('markPartner')] : []),
  ]
  const parent = group.idx === ROOT_GROUP ? t('topOfAll') : t('notVisible')
  return [
    [t('parent'), above.length > 0 ? above.join(' › ') : parent],
    [t('people'), t('peopleCount', { count: group.userCount })],
    [t('subgroups'), t('groupCount', { count: group.children.length })],
    marks.length > 0 && [t('marks'), marks.join(', ')],
  ]
}

function GroupForm({ group, place }: { group: Group; place: readonly (Fact | false)[] }) {
  const t = useTexts(groupsTexts)
  const { isAdmin } = useViewer()
  const kit = useTexts(kitTexts)
  const { isError } = useAuthGroups()
  const { idx, revision, name, description, key } = group
  const form = useApiForm(api.groups.update, {
    initial: { name, description, ...(isAdmin ? { key: key ?? '' } : {}) },
    fixed: { idx, revision },
    sends: 'changes',
    fields: { DUPLICATE_NAME: 'name', DUPLICATE_KEY: 'key' },
    messages: { name: t('nameFormat'), description: t('descriptionFormat'), key: t('keyFormat') },
    required: ['name', 'key'],
    done: t('saved'),
  })
  return (
    <PaneForm form={form} whyDisabled={isError ? kit('form.failed') : undefined}>
      <Fields>
        <TextInput label={t('name')} withAsterisk {...form.field('name')} />
        <TextInput label={t('description')} {...form.field('description')} />
        {isAdmin && <TextInput label={t('key')} withAsterisk {...form.field('key')} />}
      </Fields>
      <Facts rows={place} />
    </PaneForm>
  )
}

export function GroupInfo({ group }: { group: Group }) {
  const t = useTexts(groupsTexts)
  const place = usePlace(group)
  if (group.maxPolicy === Level.EDIT)
    return (
      <HeldForm
        latest={group}
        wordsOf={({ name, description, key }) => [
          [t('name'), name, 'name'],
          [t('description'), description, 'description'],
          [t('key'), key ?? null, 'key'],
        ]}
      >
        {(record) => <GroupForm group={record} place={place} />}
      </HeldForm>
    )
  return (
    <Pane>
      <Facts rows={[[t('name'), group.name], [t('description'), group.description || '-'], ...place]} />
    </Pane>
  )
}
