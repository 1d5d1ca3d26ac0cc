// The button that uploads a license file, with a preview of what would change. Used by the license menu and the register
// step.
import { type ButtonProps, FileButton } from '@mantine/core'
import { useRef } from 'react'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { LicensePreviewDialog } from './LicensePreviewDialog.tsx'
import css from './Licenses.module.css'
import { licensesTexts } from './licenses.texts.ts'
import { useLicenseUpload } from './useLicenseUpload.ts'

type Props = Pick<ButtonProps, 'size' | 'variant' | 'fullWidth'> & {
  /** Extensions of license files, without the dot. */
  extensions: readonly string[]
  onRegistered: () => void
}

export function LicenseUpload({ extensions, onRegistered, ...look }: Props) {
  const t = useTexts(licensesTexts)
  const upload = useLicenseUpload(onRegistered)
  // The same file can be chosen again after it was refused.
  const forget = useRef<() => void>(null)
  const choose = (file: File | null) => {
    forget.current?.()
    if (file) void upload.choose(file)
  }
  const dotted = extensions.map((extension) => `.${extension}`)
  return (
    <>
      {upload.fault && (
        <p className={`${css.problem} ${css.fault}`} role="alert">
          {t(`fault.${upload.fault}`, { extensions: dotted.join(', ') })}
        </p>
      )}
      <FileButton accept={dotted.join(',')} onChange={choose} resetRef={forget}>
        {(props) => (
          <ReasonedButton {...props} {...look} isBusy={upload.isBusy && upload.chosen === null}>
            {t('upload')}
          </ReasonedButton>
        )}
      </FileButton>
      {upload.chosen && (
        <LicensePreviewDialog
          preview={upload.chosen.preview}
          isBusy={upload.isBusy}
          onRegister={() => upload.chosen && void upload.register(upload.chosen)}
          onClose={upload.cancel}
        />
      )}
    </>
  )
}
