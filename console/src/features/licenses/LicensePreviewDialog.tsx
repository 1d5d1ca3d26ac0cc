// What a license file holds, beside the license in force, before it is registered.
import type { LicensePreview } from '@acc/contract/licenses'
import { Button, Group } from '@mantine/core'
import { DialogWindow } from '../../kit/dialogs/DialogWindow.tsx'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { BeforeAfter } from '../../kit/layout/BeforeAfter.tsx'
import { formatNumber } from '../../kit/texts/formatNumber.ts'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Licenses.module.css'
import { licensesTexts } from './licenses.texts.ts'

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

type Props = { preview: LicensePreview; isBusy: boolean; onRegister: () => void; onClose: () => void }

export function LicensePreviewDialog({ preview, isBusy, onRegister, onClose }: Props) {
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
        <p className={isSame ? css.notice : css.problem} role="alert">
          {whyNot}
        </p>
      )}
      {whyNot === undefined && overuse > 0 && <p className={css.warning}>{t('overuse', { count: overuse })}</p>}
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
