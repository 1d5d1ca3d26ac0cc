// The icon of a shortcut in its dialog: a file is read here and sent with the form. The server examines its content.
import { MAX_ICON } from '@acc/contract/shortcuts'
import { Button, FileButton, Input } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../../kit/texts/texts.ts'
import { ShortcutIcon } from './ShortcutIcon.tsx'
import css from './Shortcuts.module.css'
import { shortcutsTexts } from './shortcuts.texts.ts'

export type Icon = { iconName: string | null | undefined; iconData: string | null | undefined }
type Props = {
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

export function IconField({ name, value, error, wrapperProps, onChange }: Props) {
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
      <div className={css.iconField}>
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
