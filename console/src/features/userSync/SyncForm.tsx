// The form of the synchronization: kind of source, its fields, groups, options and schedule, and the test.
import { GroupBy, SyncKind } from '@acc/contract/labels/userImports'
import type { SyncState } from '@acc/contract/userSync'
import { Checkbox, NativeSelect, Radio, Stack } from '@mantine/core'
import { FormFrame } from '../../kit/form/PaneForm.tsx'
import { useSharedSave } from '../../kit/form/SaveBar.tsx'
import { Hint, Pane } from '../../kit/layout/Page.tsx'
import { useLabel, useOptions } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { GroupField } from '../groups/exports.ts'
import { DirectoryFields } from './DirectoryFields.tsx'
import { SyncCard } from './SyncCard.tsx'
import { SyncTest } from './SyncTest.tsx'
import { localHours } from './syncValues.ts'
import css from './UserSync.module.css'
import { userSyncTexts } from './userSync.ts'
import { type EditedSync, useSyncForm } from './useSyncForm.ts'

type PartProps = { form: EditedSync; state: SyncState }

function Kind({ form, state }: PartProps) {
  const t = useTexts(userSyncTexts)
  const label = useLabel()
  const kinds = [
    { value: SyncKind.NONE, hint: t('kindHint.none') },
    { value: SyncKind.DIRECTORY, hint: t('kindHint.directory') },
    { value: SyncKind.FOLDER, hint: t(state.folder === null ? 'kindHint.noFolder' : 'kindHint.folder') },
  ]
  return (
    <Radio.Group
      label={t('kind')}
      value={String(form.values.kind)}
      onChange={(chosen) => {
        const kind = SyncKind.values.find((value) => String(value) === chosen)
        if (kind !== undefined) form.set('kind', kind)
      }}
    >
      <Stack gap={10} mt={8}>
        {kinds.map(({ value, hint }) => (
          <Radio
            key={value}
            value={String(value)}
            label={label(SyncKind.labels[value])}
            description={hint}
            disabled={value === SyncKind.FOLDER && state.folder === null && form.values.kind !== value}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}

const GROUP_HINTS = { [GroupBy.FIXED]: 'fixed', [GroupBy.UNITS]: 'units', [GroupBy.ATTRIBUTE]: 'attribute' } as const

function Groups({ form, state }: PartProps) {
  const t = useTexts(userSyncTexts)
  const ways = useOptions(GroupBy)
  const isDirectory = form.values.kind === SyncKind.DIRECTORY
  const { groupBy } = form.values
  return (
    <fieldset className={css.part}>
      <legend>{t('groups')}</legend>
      {isDirectory && (
        <NativeSelect
          label={t('groupBy')}
          description={t(`groupByHint.${GROUP_HINTS[groupBy]}`)}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          data={ways.map(({ value, label }) => ({ value: String(value), label }))}
          {...form.field('groupBy')}
          value={String(groupBy)}
          onChange={({ currentTarget }) => {
            const chosen = GroupBy.values.find((value) => String(value) === currentTarget.value)
            if (chosen !== undefined) form.set('groupBy', chosen)
          }}
        />
      )}
      <div>
        <GroupField
          label={t('group')}
          required
          {...form.field('groupIdx')}
          {...(state.sync && { fallback: state.sync.groupName })}
        />
        {!(isDirectory && groupBy === GroupBy.FIXED) && <p className={css.below}>{t('groupHint')}</p>}
      </div>
    </fieldset>
  )
}

function Options({ form }: { form: EditedSync }) {
  const t = useTexts(userSyncTexts)
  return (
    <fieldset className={css.part}>
      <legend>{t('options')}</legend>
      {(['addsGroups', 'adopts', 'mailsPasswords'] as const).map((name) => (
        <Checkbox
          key={name}
          label={t(`option.${name}`)}
          description={t(`option.${name}Hint`)}
          checked={form.values[name] === 1}
          onChange={({ currentTarget }) => form.set(name, currentTarget.checked ? 1 : 0)}
        />
      ))}
    </fieldset>
  )
}

const EVERY = [0, 1, 6, 24] as const

function Schedule({ form }: { form: EditedSync }) {
  const t = useTexts(userSyncTexts)
  const { everyHours, hour } = form.values
  return (
    <fieldset className={css.part}>
      <legend>{t('schedule')}</legend>
      <div className={css.pair}>
        <NativeSelect
          label={t('everyHours')}
          data={EVERY.map((value) => ({ value: String(value), label: t(`every${value}`) }))}
          {...form.field('everyHours')}
          value={String(everyHours)}
          onChange={({ currentTarget }) => {
            const chosen = EVERY.find((value) => String(value) === currentTarget.value)
            if (chosen !== undefined) form.set('everyHours', chosen)
          }}
        />
        {everyHours === 24 && (
          <NativeSelect
            label={t('hour')}
            data={localHours().map((one) => ({ value: String(one.hour), label: one.time }))}
            {...form.field('hour')}
            value={String(hour)}
            onChange={({ currentTarget }) => form.set('hour', Number(currentTarget.value))}
          />
        )}
      </div>
      <p className={css.below}>{t('leavers')}</p>
    </fieldset>
  )
}

type Props = { state: SyncState; whyDisabled: string | undefined; onSaved: () => void }

export function SyncForm({ state, whyDisabled, onSaved }: Props) {
  const t = useTexts(userSyncTexts)
  const form = useSyncForm(state.sync, onSaved)
  const id = useSharedSave(form, whyDisabled)
  const { kind } = form.values
  return (
    <FormFrame form={form} id={id}>
      <Pane>
        <SyncCard state={state} isDirty={form.isDirty} />
        <div className={css.fields}>
          <Kind form={form} state={state} />
          {kind === SyncKind.DIRECTORY && (
            <DirectoryFields form={form} hasBindPw={state.sync?.directory?.hasBindPw === 1} />
          )}
          {kind === SyncKind.FOLDER && (
            <fieldset className={css.part}>
              <legend>{t('folder')}</legend>
              <code className={css.path}>{state.folder ?? '-'}</code>
              <Hint>{t('folderHint')}</Hint>
            </fieldset>
          )}
          {kind !== SyncKind.NONE && (
            <>
              <Groups form={form} state={state} />
              <Options form={form} />
              <Schedule form={form} />
              <SyncTest form={form} />
            </>
          )}
        </div>
      </Pane>
    </FormFrame>
  )
}
