// The files of a request with size and hash, five at a time; checked files are downloaded as one zip.
import { api } from '@acc/contract'
import { fileStamp, formatBytes, formatMoment } from '@acc/contract/labels/formats'
import { isReleased } from '@acc/contract/requestState'
import type { FileEximportDetail } from '@acc/contract/requests'
import { Checkbox } from '@mantine/core'
import { IconDownload, IconEye, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { callFile } from '../../kit/api/call.ts'
import { receive, saveFile, useReceivedFile } from '../../kit/api/receivedFile.ts'
import { useBrowserDownload } from '../../kit/api/useBrowserDownload.ts'
import { useShortcut } from '../../kit/browser/useShortcut.ts'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { FileName } from '../../kit/layout/FileName.tsx'
import { fetchedComponent, whenFetched } from '../../kit/layout/fetchedComponent.ts'
import { IconButton } from '../../kit/layout/IconButton.tsx'
import { Hint, Section } from '../../kit/layout/Page.tsx'
import { type ShortColumn, ShortTable } from '../../kit/table/ShortTable.tsx'
import { TwoLines } from '../../kit/table/Table.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Approvals.module.css'
import { approvalsTexts } from './approvals.ts'

const FilePreview = fetchedComponent(() => import('./FilePreview.tsx').then((module) => [module.FilePreview] as const))

const NAME = /filename\*=UTF-8''([^;]+)/i

/** Returns the server's name of a file. */
function nameOf(response: Response): string | undefined {
  const given = NAME.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return given === undefined ? undefined : decodeURIComponent(given)
}

type RequestFile = FileEximportDetail['files'][number]

const shortHash = (hash: string) => `${hash.slice(0, 6)}…${hash.slice(-6)}`
/** Bytes that the page receives by itself, with its progress. The browser writes larger files to the disk. */
const LARGE_ZIP = 128 * 1024 * 1024
/** The name of the zip if the server gives none. */
const zipName = (type: 0 | 1) => `${type === 1 ? 'Exports' : 'Imports'}_${fileStamp(new Date())}.zip`

export function ApprovalFiles({ request }: { request: FileEximportDetail }) {
  const t = useTexts(approvalsTexts)
  const kit = useTexts(kitTexts)
  const zip = useReceivedFile(t('downloadFailed'))
  const large = useBrowserDownload(api.requests.download, t('downloadFailed'))
  const save = () => {
    const input = { fileEximport: request.idx, fileIdxes: [...chosen] }
    const bytes = request.files.reduce((sum, file) => sum + (chosen.has(file.idx) ? file.fileSize : 0), 0)
    const name = zipName(request.type)
    if (bytes <= LARGE_ZIP)
      return zip.start(async ({ signal, onBytes }) => {
        const response = await callFile(api.requests.download, input, { signal })
        saveFile(nameOf(response) ?? name, await receive(response, onBytes))
      })
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    return large.start({ ...input, timeZone }, name, { isTrial: 1 })
  }
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set(request.files.map(({ idx }) => idx)))
  const canChoose = request.isDownloadable === 1
  const [previewed, setPreviewed] = useState<number>()
  const preview = (idx: number) => whenFetched(FilePreview.fetch, () => setPreviewed(idx))
  const [firstFile] = request.files
  useShortcut(canChoose && firstFile ? 'P' : null, () => firstFile && void preview(firstFile.idx))
  const toggle = (idx: number) => {
    const next = new Set(chosen)
    if (!next.delete(idx)) next.add(idx)
    setChosen(next)
  }
  const size = request.files.reduce((sum, file) => sum + file.fileSize, 0)
  const title = t('filesHead', { count: request.files.length, size: formatBytes(size) })
  const choice: ShortColumn<RequestFile> = {
    key: 'choice',
    title: t('choice'),
    render: ({ idx, fileName }) => (
      <Checkbox checked={chosen.has(idx)} onChange={() => toggle(idx)} aria-label={fileName} />
    ),
  }
  const columns: ShortColumn<RequestFile>[] = [
    {
      key: 'fileName',
      title: t('fileName'),
      shortens: true,
      render: ({ fileName, sha256, downloads }) => (
        <TwoLines
          above={<FileName name={fileName} />}
          below={
            <>
              <code title={sha256}>{t('sha256', { hash: shortHash(sha256) })}</code>
              {(isReleased(request) || downloads > 0) && <div>{t('downloads', { times: downloads })}</div>}
            </>
          }
        />
      ),
    },
    { key: 'fileSize', title: t('size'), align: 'right', render: ({ fileSize }) => formatBytes(fileSize) },
  ]
  const eye: ShortColumn<RequestFile> = {
    key: 'preview',
    title: t('preview'),
    align: 'right',
    render: ({ idx, fileName }) => (
      <IconButton
        label={t('previewNamed', { name: fileName })}
        variant="subtle"
        className={css.touch}
        onClick={() => void preview(idx)}
      >
        <IconEye size={16} />
      </IconButton>
    ),
  }
  return (
    <Section title={title}>
      {request.filesRemovedDT !== null && (
        <Hint>{t('filesRemoved', { when: formatMoment(request.filesRemovedDT) })}</Hint>
      )}
      <ShortTable
        rows={request.files}
        label={title}
        rowsPerPage={5}
        columns={canChoose ? [choice, ...columns, eye] : columns}
      />
      {canChoose && (
        // One button, which keeps the focus.
        <ReasonedButton
          variant="default"
          mt={8}
          leftSection={zip.bytes === null && <IconDownload size={14} />}
          rightSection={zip.bytes !== null && <IconX size={13} />}
          whyDisabled={zip.bytes === null && chosen.size === 0 ? kit('list.noneSelected') : undefined}
          isBusy={large.isStarting}
          onClick={() => (zip.bytes === null ? void save() : zip.stop())}
        >
          {zip.bytes === null ? t('download') : t('downloading', { size: formatBytes(zip.bytes) })}
        </ReasonedButton>
      )}
      {previewed !== undefined && (
        <FilePreview request={request} first={previewed} onClose={() => setPreviewed(undefined)} />
      )}
    </Section>
  )
}
