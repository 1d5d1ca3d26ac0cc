// The fields of a directory: connection, search and attributes, with the defaults of common directories.
import { DirectoryEncryption, GroupBy } from '@acc/contract/labels/userImports'
import { directoryPort } from '@acc/contract/userSync'
import { Button, FileButton, NativeSelect, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { showToast } from '../../kit/dialogs/toast.tsx'
import { useOptions } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { countCertificates, PRESETS, readCertificates } from './syncValues.ts'
import css from './UserSync.module.css'
import { userSyncTexts } from './userSync.ts'
import type { EditedSync } from './useSyncForm.ts'

/** The description comes after the input. */
const BELOW = {
  inputWrapperOrder: ['label', 'input', 'error', 'description'] as ('label' | 'input' | 'error' | 'description')[],
}

function Presets({ form }: { form: EditedSync }) {
  const t = useTexts(userSyncTexts)
  return (
    <div className={css.presets}>
      <span>{t('presets')}</span>
      {(['ad', 'openLdap'] as const).map((name) => (
        <Button
          key={name}
          variant="default"
          size="compact-sm"
          onClick={() => {
            const preset = Object.entries(PRESETS[name]) as [keyof typeof PRESETS.ad, string][]
            for (const [field, value] of preset) form.set(field, value)
            showToast(t('presetDone', { name: t(`preset.${name}`) }))
          }}
        >
          {t(`preset.${name}`)}
        </Button>
      ))}
    </div>
  )
}

function Authorities({ form }: { form: EditedSync }) {
  const t = useTexts(userSyncTexts)
  const forget = useRef<() => void>(null)
  const { authorities } = form.values
  const { error } = form.field('authorities')
  const count = countCertificates(authorities)
  const choose = async (file: File | null) => {
    forget.current?.()
    if (file === null) return
    const pem = readCertificates(new Uint8Array(await file.arrayBuffer()))
    if (pem === undefined) void showMessage({ title: t('authorities'), body: t('authoritiesFault') })
    else form.set('authorities', pem)
  }
  return (
    <fieldset className={css.authorities}>
      <legend>{t('authorities')}</legend>
      <div>
        <span>{count === 0 ? t('authoritiesSystem') : t('authoritiesCount', { count })}</span>
        <FileButton accept=".pem,.crt,.cer,.der" onChange={(file) => void choose(file)} resetRef={forget}>
          {(props) => (
            <Button {...props} variant="default" size="compact-sm">
              {t('authoritiesChoose')}
            </Button>
          )}
        </FileButton>
        {authorities !== '' && (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => form.set('authorities', '')}>
            {t('authoritiesRemove')}
          </Button>
        )}
      </div>
      {error ? (
        <p className={css.error} role="alert">
          {error}
        </p>
      ) : (
        <p className={css.below}>{t('authoritiesHint')}</p>
      )}
    </fieldset>
  )
}

/** Converts digits to a number. Anything else is left to the form's validation. */
const toPort = (text: string): number | string => {
  if (text.trim() === '') return 0
  return /^\d{1,5}$/.test(text.trim()) ? Number(text) : text.trim()
}

type Props = { form: EditedSync; hasBindPw: boolean }

function Connection({ form, hasBindPw }: Props) {
  const t = useTexts(userSyncTexts)
  const encryptions = useOptions(DirectoryEncryption)
  const { encrypt, serverPort } = form.values
  return (
    <fieldset className={css.part}>
      <legend>{t('connection')}</legend>
      <Presets form={form} />
      <TextInput
        label={t('address')}
        description={t('addressHint')}
        {...BELOW}
        withAsterisk
        maxLength={255}
        {...form.field('serverAddress')}
      />
      <div className={css.pair}>
        <NativeSelect
          label={t('encrypt')}
          data={encryptions.map(({ value, label }) => ({ value: String(value), label }))}
          {...form.field('encrypt')}
          value={String(encrypt)}
          onChange={({ currentTarget }) => {
            const chosen = DirectoryEncryption.values.find((value) => String(value) === currentTarget.value)
            if (chosen !== undefined) form.set('encrypt', chosen)
          }}
        />
        <TextInput
          label={t('port')}
          description={t('portHint', { port: directoryPort({ serverPort: 0, encrypt }) })}
          {...BELOW}
          {...form.field('serverPort')}
          maxLength={5}
          value={serverPort === 0 ? '' : String(serverPort)}
          onChange={({ currentTarget }) => form.set('serverPort', toPort(currentTarget.value))}
        />
      </div>
      <Authorities form={form} />
      <TextInput
        label={t('bindDn')}
        description={t('bindDnHint')}
        {...BELOW}
        autoComplete="off"
        maxLength={255}
        {...form.field('bindDn')}
      />
      <TextInput
        type="password"
        label={t('bindPw')}
        description={hasBindPw ? t('bindPwKept') : undefined}
        {...BELOW}
        autoComplete="new-password"
        maxLength={128}
        {...form.field('bindPw', { trims: false })}
      />
    </fieldset>
  )
}

export function DirectoryFields({ form, hasBindPw }: Props) {
  const t = useTexts(userSyncTexts)
  const attribute = (name: 'key' | 'id' | 'name' | 'email' | 'group' | 'expireDT', description?: string) => (
    <TextInput
      key={name}
      label={t(`field.${name}`)}
      withAsterisk={name !== 'expireDT'}
      description={description}
      {...BELOW}
      spellCheck={false}
      maxLength={92}
      {...form.field(name)}
    />
  )
  return (
    <>
      <Connection form={form} hasBindPw={hasBindPw} />
      <fieldset className={css.part}>
        <legend>{t('search')}</legend>
        <TextInput
          label={t('base')}
          withAsterisk
          description={t('baseExample')}
          {...BELOW}
          spellCheck={false}
          maxLength={255}
          {...form.field('base')}
        />
        <TextInput
          label={t('filter')}
          withAsterisk
          description={t('filterHint')}
          {...BELOW}
          spellCheck={false}
          maxLength={500}
          {...form.field('filter')}
        />
      </fieldset>
      <fieldset className={css.part}>
        <legend>{t('mapping')}</legend>
        <p className={css.below}>{t('mappingHint')}</p>
        <div className={css.pair}>
          {attribute('key', t('keyHint'))}
          {attribute('id')}
          {attribute('name')}
          {attribute('email')}
          {form.values.groupBy === GroupBy.ATTRIBUTE && attribute('group')}
          {attribute('expireDT', t('expiryHint'))}
        </div>
      </fieldset>
    </>
  )
}
