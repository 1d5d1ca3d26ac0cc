// The id of a BIM server, which is its secret: masked until it is revealed, with a button that copies it.
import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'
import { CopyButton } from '../../kit/layout/CopyButton.tsx'
import { Hint } from '../../kit/layout/Page.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Bim.module.css'
import { bimTexts } from './bim.texts.ts'

const BYTES = 32

/** 256 random bits as 43 characters of base64url. */
export const newServerId = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(BYTES))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

type IdForm = {
  values: { id: string }
  set: (name: 'id', value: string) => void
  field: (name: 'id') => object
}
type Props = {
  form: IdForm
  /** Sent where the field is left empty. */
  placeholder?: string
}

export function ServerId({ form, placeholder }: Props) {
  const t = useTexts(bimTexts)
  const isNew = placeholder !== undefined
  const [isShown, setShown] = useState(isNew)
  const label = t(isShown ? 'server.hideId' : 'server.showId')
  return (
    <div className={css.id}>
      <TextInput
        type={isShown ? 'text' : 'password'}
        label={t('server.id')}
        description={t(isNew ? 'server.newIdHint' : 'server.idHint')}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        placeholder={placeholder}
        autoComplete="new-password"
        spellCheck={false}
        classNames={{ input: css.mono }}
        rightSectionWidth={62}
        rightSection={
          <span className={css.idActions}>
            <Tooltip label={label}>
              <ActionIcon size={22} color="gray" aria-label={label} onClick={() => setShown(!isShown)}>
                {isShown ? <IconEyeOff size={14} /> : <IconEye size={14} />}
              </ActionIcon>
            </Tooltip>
            <CopyButton value={form.values.id || (placeholder ?? '')} />
          </span>
        }
        {...form.field('id')}
      />
      {!isNew && (
        <div className={css.replaceId}>
          <Button size="compact-xs" variant="default" onClick={() => form.set('id', newServerId())}>
            {t('server.replaceId')}
          </Button>
          <Hint>{t('server.replaceHint')}</Hint>
        </div>
      )}
    </div>
  )
}
