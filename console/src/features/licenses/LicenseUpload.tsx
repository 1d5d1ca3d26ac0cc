// The button that uploads a license file, with a preview of the changes. For the license menu and the register step.
import { api } from '@acc/contract'
import { ApiError } from '@acc/contract/core/client'
import { ERROR_DATA } from '@acc/contract/errorData'
import type { LicenseFault, LicensePreview } from '@acc/contract/licenses'
import { Button, type ButtonProps, FileButton, Group, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { callForm } from '../../kit/api/call.ts'
import { markHandled } from '../../kit/api/errors.ts'
import { refresh } from '../../kit/api/query.ts'
import { DialogWindow } from '../../kit/dialogs/DialogWindow.tsx'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { BeforeAfter } from '../../kit/layout/BeforeAfter.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { formatNumber, useTexts } from '../../kit/texts/texts.ts'
import { licensesTexts } from './licenses.ts'

function useChanges({ current, ...next }: LicensePreview) {
  const t = useTexts(licensesTexts)
  const free = (maxCount: number) => formatNumber(Math.max(0, maxCount - current.useCount))
  return [
    { label: t('licensee'), before: current.licensee ?? t('evaluation'), after: next.licensee },
    { label: t('maxCount'), before: formatNumber(current.maxCount), after: formatNumber(next.maxCount) },
    { label: t('expiry'), before: current.expiry ?? t('never'), after: next.expiry ?? t('never') },
    { label: t('free'), before: current.isExpired === 1 ? '0' : free(current.maxCount), after: free(next.maxCount) },
  ]
}

type LicensePreviewDialogProps = {
  preview: LicensePreview
  isBusy: boolean
  onRegister: () => void
  onClose: () => void
}

/** Compares a license file with the license in force, before it is registered. */
function LicensePreviewDialog({ preview, isBusy, onRegister, onClose }: LicensePreviewDialogProps) {
  const t = useTexts(licensesTexts)
  const kit = useTexts(kitTexts)
  const changes = useChanges(preview)
  const { obstacle, isRegistered, maxCount, current } = preview
  const overuse = current.useCount - maxCount
  const isSame = isRegistered === 1
  const whyNot = isSame ? t('same') : obstacle ? t(`obstacle.${obstacle}`) : undefined
  return (
    <DialogWindow title={t('preview')} size={520} onClose={() => !isBusy && onClose()}>
      <BeforeAfter changes={changes} />
      {whyNot !== undefined && (
        <Text mt={10} className="notice" data-tone={isSame ? undefined : 'bad'} role="alert">
          {whyNot}
        </Text>
      )}
      {whyNot === undefined && overuse > 0 && (
        <Text mt={10} className="notice" data-tone="warn">
          {t('overuse', { count: overuse })}
        </Text>
      )}
      <Group justify="flex-end" gap={8} mt={16}>
        <Button
          variant="default"
          data-autofocus={whyNot !== undefined || undefined}
          onClick={onClose}
          disabled={isBusy}
        >
          {kit('cancel')}
        </Button>
        <ReasonedButton
          data-autofocus={whyNot === undefined || undefined}
          isBusy={isBusy}
          whyDisabled={whyNot}
          onClick={onRegister}
        >
          {t('register')}
        </ReasonedButton>
      </Group>
    </DialogWindow>
  )
}

/** Uploading a license file: chosen, previewed, registered. */
type ChosenLicense = { file: File; preview: LicensePreview }

function useLicenseUpload(onRegistered: () => void) {
  const [chosen, setChosen] = useState<ChosenLicense | null>(null)
  const [fault, setFault] = useState<LicenseFault | null>(null)
  const [isBusy, setBusy] = useState(false)

  const attempt = async (send: () => Promise<void>) => {
    setBusy(true)
    setFault(null)
    try {
      await send()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const isTooLarge = error.type === 'network' && error.code === 413
      if (error.error === 'INVALID_LICENSE' || isTooLarge) {
        markHandled(error)
        setFault(ERROR_DATA.INVALID_LICENSE.safeParse(error.data).data?.reason ?? 'form')
        setChosen(null)
      }
    } finally {
      setBusy(false)
    }
  }
  const choose = (file: File) =>
    attempt(async () => setChosen({ file, preview: await callForm(api.licenses.preview, {}, file) }))
  const register = ({ file }: ChosenLicense) =>
    attempt(async () => {
      await callForm(api.licenses.register, {}, file)
      setChosen(null)
      await refresh(api.licenses.register.changes)
      onRegistered()
    })
  return { chosen, fault, isBusy, choose, register, cancel: () => setChosen(null) }
}

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
        <p className="notice" data-tone="bad" role="alert">
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
