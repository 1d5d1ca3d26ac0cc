// Creates a user, in a dialog or in the tab next to the list (spec S1 §2, §5). The new user is selected afterwards.
import { api } from '@acc/contract'
import { Level } from '@acc/contract/labels/access'
import { Button, Checkbox, Menu, Text, TextInput } from '@mantine/core'
import { IconChevronDown, IconFileImport, IconPlus, IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useViewer } from '../../kit/api/viewer.ts'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { Fields, PaneForm } from '../../kit/form/PaneForm.tsx'
import { guarded } from '../../kit/form/unsaved.ts'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { GroupField, useGroupIndex } from '../groups/exports.ts'
import { ExpiryField, useExpiryCheck } from './ExpiryField.tsx'
import { usersTexts } from './users.ts'
import { useIsOutbox, useSentMailLink } from './useUserActions.ts'

type Props = {
  /** Group and expiry of the user before, where several are created. */
  former?: Kept | undefined
  /** The group that the list is filtered by: the default if the viewer may edit it. */
  groupIdx: number | undefined
  onCreated: (idx: number, groupIdx: number, values: Initial) => void
}

type Kept = { groupIdx: number | null; isMortal: 0 | 1; expireDT: string | null }

type Initial = Kept & { id: string; name: string; email: string; key: string }

function useCreateForm({ former, groupIdx, onCreated }: Props) {
  const t = useTexts(usersTexts)
  const { find } = useGroupIndex()
  const proposed = groupIdx !== undefined && find(groupIdx)?.maxUser === Level.EDIT ? groupIdx : null
  const initial: Initial = {
    id: '',
    name: '',
    email: '',
    key: '',
    groupIdx: former ? former.groupIdx : proposed,
    isMortal: former?.isMortal ?? 0,
    expireDT: former?.expireDT ?? null,
  }
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
    onDone: ({ idx }) => onCreated(idx, form.values.groupIdx ?? 0, form.values),
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

type DialogProps = Props & { onClose: () => void }
/** Whether the dialog stays open for the next user. */
type Many = { isMany: boolean; onMany: (isMany: boolean) => void }

function CreateDialog({ onClose, isMany, onMany, ...props }: DialogProps & Many) {
  const t = useTexts(usersTexts)
  const form = useCreateForm(props)
  return (
    <FormDialog title={t('createTitle')} action={t('create')} form={form} onClose={onClose} isNew width={480}>
      <CreateFields form={form} />
      <Checkbox
        label={t('createAnother')}
        checked={isMany}
        onChange={({ currentTarget }) => onMany(currentTarget.checked)}
      />
    </FormDialog>
  )
}

/** Render it while it is open. `onCreated` is called once it closes, with the last of several new users. */
export function CreateUserDialog({ groupIdx, onCreated, onClose }: DialogProps) {
  const [isMany, setMany] = useState(false)
  const [last, setLast] = useState<{ idx: number; values: Initial }>()
  const finish = () => (last ? onCreated(last.idx, last.values.groupIdx ?? 0, last.values) : onClose())
  return (
    <CreateDialog
      key={last?.idx}
      former={last?.values}
      groupIdx={groupIdx}
      isMany={isMany}
      onMany={setMany}
      onCreated={(idx, group, values) => (isMany ? setLast({ idx, values }) : onCreated(idx, group, values))}
      onClose={finish}
    />
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

type ButtonProps = { onCreate: () => void; onImport: () => void }

/** "Create user", and next to it the menu with the import of many from a file. */
export function CreateButton({ onCreate, onImport }: ButtonProps) {
  const t = useTexts(usersTexts)
  return (
    <Button.Group>
      <Button leftSection={<IconPlus size={14} />} onClick={guarded(onCreate)}>
        {t('createUser')}
      </Button>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button px={7} ml={1} aria-label={t('createWays')}>
            <IconChevronDown size={14} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconUserPlus size={14} />} onClick={guarded(onCreate)}>
            {t('createOne')}
          </Menu.Item>
          <Menu.Item leftSection={<IconFileImport size={14} />} onClick={onImport}>
            {t('import')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  )
}
