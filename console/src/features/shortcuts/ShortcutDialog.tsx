// Dialogs that create or edit a shortcut (spec S1 §2, §5). OK is disabled while nothing is changed.
import { api } from '@acc/contract'
import { MAX_ICON } from '@acc/contract/shortcuts'
import { Button, FileButton, Input, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { HeldForm } from '../../kit/form/conflictGuard.tsx'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { ShortcutIcon } from './ShortcutIcon.tsx'
import css from './Shortcuts.module.css'
import { type ShortcutKind, type ShortcutRow, shortcutsTexts, useShortcutHeadings } from './shortcuts.ts'

/**
 * The icon of a shortcut in its dialog: a file is read here and sent with the form. The server examines its content.
 */
type Icon = { iconName: string | null | undefined; iconData: string | null | undefined }
type IconProps = {
  name: string
  value: Icon
  error: ReactNode
  wrapperProps: object
  onChange: (icon: Icon) => void
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

function IconField({ name, value, error, wrapperProps, onChange }: IconProps) {
  const t = useTexts(shortcutsTexts)
  const [isRefused, setRefused] = useState(false)
  const choose = async (file: File | null) => {
    if (file === null) return
    const isFit = file.size <= MAX_ICON && /\.(png|ico)$/i.test(file.name)
    setRefused(!isFit)
    if (isFit) onChange({ iconName: file.name.slice(-100), iconData: await base64Of(file) })
  }
  const remove = () => {
    setRefused(false)
    onChange({ iconName: null, iconData: null })
  }
  return (
    <Input.Wrapper
      label={t('icon')}
      description={t('iconHint')}
      error={isRefused ? t('iconFormat') : error}
      {...wrapperProps}
    >
      <div className="line">
        <ShortcutIcon shortcut={{ name, ...value }} />
        <span className={css.iconName}>{value.iconName}</span>
        <FileButton accept=".png,.ico" onChange={(file) => void choose(file)}>
          {(props) => (
            <Button {...props} size="compact-sm" variant="default">
              {t('chooseIcon')}
            </Button>
          )}
        </FileButton>
        {value.iconName && (
          <Button size="compact-sm" variant="default" onClick={remove}>
            {t('removeIcon')}
          </Button>
        )}
      </div>
    </Input.Wrapper>
  )
}

type Props = {
  /** Undefined: a new one. */
  shortcut: ShortcutRow | undefined
  onClose: () => void
}

type Form = Pick<ReturnType<typeof useApiForm>, 'submit' | 'isSaving' | 'whyDisabled'> & {
  values: { name: string } & Icon
  set: (name: keyof Icon, value: string | null | undefined) => void
  field: (name: 'name' | keyof Icon) => ReturnType<ReturnType<typeof useApiForm>['field']>
}
type FrameProps = Props & { kind: ShortcutKind; form: Form; target: ReturnType<Form['field']> }

function Frame({ kind, shortcut, form, target, onClose }: FrameProps) {
  const t = useTexts(shortcutsTexts)
  const headings = useShortcutHeadings(kind)
  const { error, wrapperProps } = form.field('iconData')
  const { error: nameError } = form.field('iconName')
  return (
    <FormDialog
      title={t(shortcut ? `${kind}.updateTitle` : `${kind}.createTitle`)}
      action={t(shortcut ? 'ok' : 'create')}
      form={form}
      onClose={onClose}
      isNew={shortcut === undefined}
      width={480}
    >
      <TextInput label={headings.name} withAsterisk data-autofocus autoComplete="off" {...form.field('name')} />
      <TextInput
        label={headings.target}
        description={t(`${kind}.hint`)}
        withAsterisk
        autoComplete="off"
        spellCheck={false}
        {...target}
      />
      <IconField
        name={form.values.name}
        value={form.values}
        error={error ?? nameError}
        wrapperProps={wrapperProps}
        onChange={({ iconName, iconData }) => {
          form.set('iconName', iconName)
          form.set('iconData', iconData)
        }}
      />
    </FormDialog>
  )
}

/** An icon that a long list came without stays as it is. */
function iconOf(shortcut: ShortcutRow | undefined): Icon {
  const { iconName, iconData } = shortcut ?? {}
  return iconData === null && iconName !== null ? { iconName: undefined, iconData: undefined } : { iconName, iconData }
}

/** What the forms of both kinds have in common. */
function useChoices(kind: ShortcutKind, { shortcut, onClose }: Props) {
  const t = useTexts(shortcutsTexts)
  const format = t('iconFormat')
  return {
    texts: { DUPLICATE_NAME: t(`${kind}.duplicate`), INVALID_IMAGE: format },
    messages: { name: t('nameFormat'), iconName: format, iconData: format },
    targetFormat: t(`${kind}.format`),
    notDrafted: ['iconName', 'iconData'] as const,
    onDone: onClose,
    ...(shortcut ? { fixed: { idx: shortcut.idx, revision: shortcut.revision } } : { done: t('created') }),
  }
}

function WebDialog(props: Props) {
  const { shortcut } = props
  const { targetFormat, messages, ...choices } = useChoices('web', props)
  const form = useApiForm(shortcut ? api.shortcuts.updateWeb : api.shortcuts.createWeb, {
    ...choices,
    initial: { name: shortcut?.name ?? '', url: shortcut?.target ?? '', ...iconOf(shortcut) },
    messages: { ...messages, url: targetFormat },
    fields: { DUPLICATE_NAME: 'url', INVALID_IMAGE: 'iconData' },
  })
  return <Frame {...props} kind="web" form={form} target={form.field('url')} />
}

function ProgramDialog(props: Props) {
  const { shortcut } = props
  const { targetFormat, messages, ...choices } = useChoices('program', props)
  const form = useApiForm(shortcut ? api.shortcuts.updateProgram : api.shortcuts.createProgram, {
    ...choices,
    initial: { name: shortcut?.name ?? '', path: shortcut?.target ?? '', ...iconOf(shortcut) },
    messages: { ...messages, path: targetFormat },
    fields: { DUPLICATE_NAME: 'path', INVALID_IMAGE: 'iconData' },
  })
  return <Frame {...props} kind="program" form={form} target={form.field('path')} />
}

const DIALOGS = { web: WebDialog, program: ProgramDialog }

type DialogProps = Props & { kind: ShortcutKind }

/** Rendered while it is open; follows the latest version of the shortcut until something is typed. */
export function ShortcutDialog({ kind, shortcut, onClose }: DialogProps) {
  const t = useTexts(shortcutsTexts)
  const headings = useShortcutHeadings(kind)
  const Dialog = DIALOGS[kind]
  if (shortcut === undefined) return <Dialog shortcut={undefined} onClose={onClose} />
  return (
    <HeldForm
      latest={shortcut}
      wordsOf={({ name, target, iconName }) => [
        [headings.name, name, 'name'],
        [headings.target, target, kind === 'web' ? 'url' : 'path'],
        [t('icon'), iconName, 'iconName', 'iconData'],
      ]}
    >
      {(record) => <Dialog shortcut={record} onClose={onClose} />}
    </HeldForm>
  )
}
