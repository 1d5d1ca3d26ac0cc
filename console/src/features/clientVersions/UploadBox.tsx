// The upload area: a box for a chosen or dropped file, the upload with its progress, and a way to cancel it.
import { api } from '@acc/contract'
import { type ClientFault, MAX_CLIENT } from '@acc/contract/clientVersions'
import { ApiError } from '@acc/contract/core/client'
import { ERROR_DATA } from '@acc/contract/errorData'
import { formatBytes } from '@acc/contract/labels/formats'
import { Button, Progress } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { callForm } from '../../kit/api/call.ts'
import { markHandled } from '../../kit/api/errors.ts'
import { errorText } from '../../kit/api/errorText.ts'
import { refresh } from '../../kit/api/query.ts'
import { createStore, useStore } from '../../kit/browser/store.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { showToast } from '../../kit/dialogs/toast.tsx'
import { DropBox } from '../../kit/form/DropBox.tsx'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { text, useTexts } from '../../kit/texts/texts.ts'
import css from './ClientVersions.module.css'
import { clientVersionsTexts } from './clientVersions.ts'

/**
 * The upload of a client file. It continues while other screens are open, and ends with a notice or a dialog.
 * `sent` is null until it begins.
 */
type ClientUpload = { file: File; sent: number | null }
const clientUpload = createStore<ClientUpload | null>(null)

let running: AbortController | undefined

const dotted = (extensions: readonly string[]) => extensions.map((extension) => `.${extension}`)
const listOf = (extensions: readonly string[]): string => dotted(extensions).join(', ')
const isNamed = ({ name }: File, extensions: readonly string[]) =>
  dotted(extensions).some((end) => name.toLowerCase().endsWith(end))

const tell = (body: string) => showMessage({ title: text(clientVersionsTexts, 'invalidTitle'), body })
const invalid = new ApiError('server', 987, 'INVALID_CLIENT_FILE')
const tellFault = (fault: ClientFault, extensions: readonly string[]) =>
  tell(`${errorText(invalid)}\n${text(clientVersionsTexts, `fault.${fault}`, { extensions: listOf(extensions) })}`)

/** Takes a chosen or dropped file if its name and size are those of a client. */
function chooseFile(file: File, extensions: readonly string[]): void {
  if (!isNamed(file, extensions)) return void tellFault('name', extensions)
  if (file.size > MAX_CLIENT) return void tell(text(clientVersionsTexts, 'tooLarge'))
  clientUpload.set({ file, sent: null })
}

/** Shows why an upload failed, unless the global handler does. */
async function tellError(error: unknown, extensions: readonly string[]): Promise<void> {
  if (!(error instanceof ApiError)) throw error
  const isTooLarge = error.type === 'network' && error.code === 413
  const isKnown = isTooLarge || error.error === 'DUPLICATE_NAME' || error.error === 'INVALID_CLIENT_FILE'
  if (!isKnown) return
  markHandled(error)
  if (error.error === 'INVALID_CLIENT_FILE')
    return tellFault(ERROR_DATA.INVALID_CLIENT_FILE.safeParse(error.data).data?.reason ?? 'program', extensions)
  await tell(text(clientVersionsTexts, isTooLarge ? 'tooLarge' : 'duplicate'))
}

async function uploadFile({ file }: ClientUpload, extensions: readonly string[]): Promise<void> {
  const job = new AbortController()
  running = job
  const reach = (sent: number) => {
    if (!job.signal.aborted) clientUpload.set({ file, sent: Math.min(sent, file.size) })
  }
  reach(0)
  try {
    const options = { signal: job.signal, timeout: 0, onSent: reach }
    const { version } = await callForm(api.clientVersions.upload, {}, file, options)
    clientUpload.set(null)
    showToast(text(clientVersionsTexts, 'uploaded', { version }))
    await refresh(api.clientVersions.upload.changes)
  } catch (error) {
    clientUpload.set({ file, sent: null })
    if (!job.signal.aborted) await tellError(error, extensions)
  }
}

const stopUpload = (): void => running?.abort()

function Sending({ file, sent }: { file: File; sent: number }) {
  const t = useTexts(clientVersionsTexts)
  const percent = file.size === 0 ? 100 : Math.floor((sent / file.size) * 100)
  return (
    <div className={css.sending}>
      <Progress value={percent} aria-label={t('progress')} />
      <span role="status">
        {sent === file.size ? t('checking') : t('sending', { sent: formatBytes(sent), size: formatBytes(file.size) })}
      </span>
      <Button variant="default" data-focus="upload" leftSection={<IconX size={14} />} onClick={stopUpload}>
        {t('stop')}
      </Button>
    </div>
  )
}

export function UploadBox({ extensions }: { extensions: readonly string[] }) {
  const t = useTexts(clientVersionsTexts)
  const upload = useStore(clientUpload)
  return (
    <section className={css.upload} aria-label={t('uploadTitle')}>
      <h2>{t('uploadTitle')}</h2>
      <DropBox
        label={t('choose')}
        extensions={extensions}
        file={upload?.file ?? null}
        onFile={(file) => chooseFile(file, extensions)}
        isDisabled={upload?.sent != null}
        words={{ drop: t('drop'), accepted: t('accepted', { extensions: listOf(extensions) }) }}
      />
      {upload?.sent != null ? (
        <Sending file={upload.file} sent={upload.sent} />
      ) : (
        <ReasonedButton
          data-focus="upload"
          whyDisabled={upload === null ? t('noFile') : undefined}
          onClick={() => upload && void uploadFile(upload, extensions)}
        >
          {t('upload')}
        </ReasonedButton>
      )}
    </section>
  )
}
