// Creates a user, in a dialog or in the tab next to the list (spec S1 §2, §5). The new user is selected afterwards.
import { api } from '@acc/contract'
import { Level } from '@acc/contract/labels/access'
import { Text, TextInput } from '@mantine/core'
import { useViewer } from '../../kit/api/viewer.ts'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { Fields, PaneForm } from '../../kit/form/PaneForm.tsx'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { GroupField, useGroupIndex } from '../groups/exports.ts'
import { ExpiryField, useExpiryCheck } from './ExpiryField.tsx'
import { usersTexts } from './users.ts'
import { useIsOutbox, useSentMailLink } from './useUserActions.ts'

type Props = {
  /** The group that the list is filtered by: the default if the viewer may edit it. */
  groupIdx: number | undefined
  onCreated: (idx: number, groupIdx: number) => void
}

type Initial = {
  id: string
  name: string
  email: string
  groupIdx: number | null
  isMortal: 0 | 1
  expireDT: string | null
  key: string
}

function useCreateForm({ groupIdx, onCreated }: Props) {
  const t = useTexts(usersTexts)
  const { find } = useGroupIndex()
  const proposed = groupIdx !== undefined && find(groupIdx)?.maxUser === Level.EDIT ? groupIdx : null
  const initial: Initial = { id: '', name: '', email: '', groupIdx: proposed, isMortal: 0, expireDT: null, key: '' }
  const form = useApiForm(api.users.create, {
    initial,
    fields: { DUPLICATE_ID: 'id', DUPLICATE_EMAIL: 'email', DUPLICATE_KEY: 'key' },
    dialogs: { NO_GROUP: t('noGroup') },
    messages: {
      id: t('idFormat'),
      name: t('nameFormat'),
      email: t('emailFormat'),
      key: t('keyFormat'),
      expireDT: t('expiryFormat'),
    },
    check: useExpiryCheck(),
    done: t(useIsOutbox() ? 'createdInOutbox' : 'created'),
    link: useSentMailLink(),
    onDone: ({ idx }) => onCreated(idx, form.values.groupIdx ?? 0),
  })
  return form
}

function CreateFields({ form }: { form: ReturnType<typeof useCreateForm> }) {
  const t = useTexts(usersTexts)
  const { isAdmin } = useViewer()
  const { isMortal, expireDT } = form.values
  const { error, wrapperProps, onBlur } = form.field('expireDT')
  return (
    <>
      <TextInput
        label={t('id')}
        description={t('idHint')}
        withAsterisk
        data-autofocus
        autoComplete="off"
        {...form.field('id')}
      />
      <TextInput label={t('name')} withAsterisk autoComplete="off" {...form.field('name')} />
      <TextInput label={t('email')} type="email" withAsterisk autoComplete="off" {...form.field('email')} />
      <GroupField label={t('group')} required {...form.field('groupIdx')} />
      <ExpiryField
        value={{ isMortal, expireDT }}
        error={error}
        wrapperProps={wrapperProps}
        onBlur={onBlur}
        onChange={(expiry) => {
          form.set('isMortal', expiry.isMortal)
          form.set('expireDT', expiry.expireDT)
        }}
      />
      {isAdmin && <TextInput label={t('key')} placeholder={t('keyHint')} {...form.field('key')} />}
      <Text size="sm" c="dimmed">
        {t('createHint')}
      </Text>
    </>
  )
}

/** Render it while it is open. */
export function CreateUserDialog({ onClose, ...props }: Props & { onClose: () => void }) {
  const t = useTexts(usersTexts)
  const form = useCreateForm(props)
  return (
    <FormDialog
      title={t('createTitle')}
      action={t('create')}
      form={form}
      whyDisabled={form.whyDisabled}
      onClose={onClose}
      isNew
      width={480}
    >
      <CreateFields form={form} />
    </FormDialog>
  )
}

export function CreateUserPane(props: Props) {
  const t = useTexts(usersTexts)
  const form = useCreateForm(props)
  return (
    <PaneForm form={form} isNew save={t('create')}>
      <Fields>
        <CreateFields form={form} />
      </Fields>
    </PaneForm>
  )
}
