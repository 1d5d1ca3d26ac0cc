// The file of an import: chosen or dropped, with the options, then uploaded with its progress.
import { api } from '@acc/contract'
import { page } from '@acc/contract/core/access'
import { ApiError } from '@acc/contract/core/client'
import { Level } from '@acc/contract/labels/access'
import { formatBytes } from '@acc/contract/labels/formats'
import { type ImportOptions, MAX_IMPORT_FILE } from '@acc/contract/userImports'
import { Button, Checkbox, Progress } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { callForm } from '../../kit/api/call.ts'
import { markHandled } from '../../kit/api/errors.ts'
import { refresh } from '../../kit/api/query.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { DropBox } from '../../kit/form/DropBox.tsx'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './UserImports.module.css'
import { userImportsTexts } from './userImports.ts'

type Options = Required<ImportOptions>
const NO_OPTIONS: Options = { addsGroups: 0, adopts: 0, isComplete: 0, mailsPasswords: 0 }

/** Uploads a file. `sent` is null unless it is being uploaded. */
function useUpload(onPlanned: (idx: number) => void) {
  const t = useTexts(userImportsTexts)
  const [sent, setSent] = useState<number | null>(null)
  const running = useRef<AbortController>(null)
  const tell = async (error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    if (error.error === 'REQUEST_STATE') {
      markHandled(error)
      void refresh(api.userImports.upload.changes)
      await showMessage({ title: t('otherRun'), body: t('otherRunBody') })
    }
    if (error.type === 'network' && error.code === 413) {
      markHandled(error)
      await showMessage({ title: t('fileFault'), body: t('tooLarge') })
    }
  }
  const upload = async (file: File, options: Options) => {
    const job = new AbortController()
    running.current = job
    setSent(0)
    try {
      const onSent = (bytes: number) => setSent(Math.min(bytes, file.size))
      const { idx } = await callForm(api.userImports.upload, options, file, { signal: job.signal, timeout: 0, onSent })
      onPlanned(idx)
      void refresh(api.userImports.upload.changes)
    } catch (error) {
      if (!job.signal.aborted) await tell(error)
    } finally {
      setSent(null)
    }
  }
  return { sent, upload, stop: () => running.current?.abort() }
}

const EXTENSIONS = ['csv', 'txt', 'tsv']
const isNamed = (name: string) => EXTENSIONS.some((one) => name.toLowerCase().endsWith(`.${one}`))

type FileFault = 'notCsv' | 'tooLarge' | 'emptyFile'
function faultOf({ name, size }: File): FileFault | undefined {
  if (!isNamed(name)) return 'notCsv'
  if (size === 0) return 'emptyFile'
  return size > MAX_IMPORT_FILE ? 'tooLarge' : undefined
}

type ChoicesProps = { options: Options; onChange: (options: Options) => void; isDisabled: boolean }

function Choices({ options, onChange, isDisabled }: ChoicesProps) {
  const t = useTexts(userImportsTexts)
  const { can } = useViewer()
  const names = (['isComplete', 'adopts', 'addsGroups', 'mailsPasswords'] as const).filter(
    (name) => name !== 'addsGroups' || can(page('policy', Level.EDIT)),
  )
  return (
    <fieldset className={css.options} disabled={isDisabled}>
      <legend className="unseen">{t('options')}</legend>
      {names.map((name) => (
        <Checkbox
          key={name}
          label={t(`option.${name}`)}
          description={t(`option.${name}Hint`)}
          checked={options[name] === 1}
          onChange={({ currentTarget }) => onChange({ ...options, [name]: currentTarget.checked ? 1 : 0 })}
        />
      ))}
    </fieldset>
  )
}

function Sending({ file, sent, stop }: { file: File; sent: number; stop: () => void }) {
  const t = useTexts(userImportsTexts)
  return (
    <div className={css.sending}>
      <Progress value={(sent / file.size) * 100} aria-label={t('sendingLabel')} />
      <span role="status">{t('sending', { sent: formatBytes(sent), size: formatBytes(file.size) })}</span>
      <Button variant="default" leftSection={<IconX size={14} />} onClick={stop}>
        {t('stopSending')}
      </Button>
    </div>
  )
}

export function ImportFile({ onPlanned }: { onPlanned: (idx: number) => void }) {
  const t = useTexts(userImportsTexts)
  const [file, setFile] = useState<File | null>(null)
  const [options, setOptions] = useState(NO_OPTIONS)
  const { sent, upload, stop } = useUpload(onPlanned)
  const isSending = sent !== null
  const choose = (chosen: File) => {
    const fault = faultOf(chosen)
    if (fault === undefined) setFile(chosen)
    else void showMessage({ title: t('fileFault'), body: t(fault) })
  }
  return (
    <section className={css.file} aria-label={t('fileTitle')}>
      <h2>{t('fileTitle')}</h2>
      <DropBox
        label={t('chooseFile')}
        extensions={EXTENSIONS}
        file={file}
        onFile={choose}
        isDisabled={isSending}
        words={{ drop: t('drop'), accepted: t('accepted') }}
      />
      <Choices options={options} onChange={setOptions} isDisabled={isSending} />
      {file !== null && isSending ? (
        <Sending file={file} sent={sent} stop={stop} />
      ) : (
        <div className={css.start}>
          <ReasonedButton
            {...(file === null && { whyDisabled: t('noFile') })}
            onClick={() => file && void upload(file, options)}
          >
            {t('plan')}
          </ReasonedButton>
          <span className="quiet">{t('planHint')}</span>
        </div>
      )}
    </section>
  )
}
