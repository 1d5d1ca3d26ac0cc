// The files of a request with size and hash, five at a time; checked files are downloaded as one zip.
import { api } from '@acc/contract'
import { fileStamp, formatBytes } from '@acc/contract/labels/formats'
import type { FileEximportDetail } from '@acc/contract/requests'
import { Button, Checkbox } from '@mantine/core'
import { IconDownload, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { callFile } from '../../kit/api/call.ts'
import { receive, saveFile } from '../../kit/api/csv.ts'
import { markHandled } from '../../kit/api/errors.ts'
import { errorText } from '../../kit/api/errorText.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { FileName } from '../../kit/layout/FileName.tsx'
import { Section } from '../../kit/layout/Page.tsx'
import { ShortTable } from '../../kit/table/ShortTable.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Approvals.module.css'
import { approvalsTexts } from './approvals.texts.ts'

type RequestFile = FileEximportDetail['files'][number]

const shortHash = (hash: string) => `${hash.slice(0, 8)}…${hash.slice(-8)}`
const NAME = /filename\*=UTF-8''([^;]+)/i

/** The server's file name, otherwise the one of the specification. */
function zipName(response: Response, type: 0 | 1): string {
  const given = NAME.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return given === undefined
    ? `${type === 1 ? 'Exports' : 'Imports'}_${fileStamp(new Date())}.zip`
    : decodeURIComponent(given)
}

function useZip(request: FileEximportDetail) {
  const t = useTexts(approvalsTexts)
  const [bytes, setBytes] = useState<number | null>(null)
  const running = useRef<AbortController>(null)
  const start = async (fileIdxes: number[]) => {
    const job = new AbortController()
    running.current = job
    setBytes(0)
    try {
      const response = await callFile(
        api.requests.download,
        { fileEximport: request.idx, fileIdxes },
        { signal: job.signal },
      )
      const name = zipName(response, request.type)
      saveFile(name, await receive(response, setBytes))
    } catch (error) {
      markHandled(error)
      if (!job.signal.aborted) await showMessage({ title: t('downloadFailed'), body: errorText(error) })
    } finally {
      setBytes(null)
    }
  }
  return { bytes, start, stop: () => running.current?.abort() }
}

export function ApprovalFiles({ request }: { request: FileEximportDetail }) {
  const t = useTexts(approvalsTexts)
  const zip = useZip(request)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set(request.files.map(({ idx }) => idx)))
  const canChoose = request.isDownloadable === 1
  const toggle = (idx: number) => {
    const next = new Set(chosen)
    if (!next.delete(idx)) next.add(idx)
    setChosen(next)
  }
  const size = request.files.reduce((sum, file) => sum + file.fileSize, 0)
  const title = t('filesHead', { count: request.files.length, size: formatBytes(size) })
  const choice = {
    key: 'choice',
    title: t('choice'),
    render: ({ idx, fileName }: RequestFile) => (
      <Checkbox size="xs" checked={chosen.has(idx)} onChange={() => toggle(idx)} aria-label={fileName} />
    ),
  }
  const columns = [
    {
      key: 'fileName',
      title: t('fileName'),
      shortens: true as const,
      render: (file: RequestFile) => (
        <span className={css.name}>
          <FileName name={file.fileName} />
          <code title={file.sha256}>{t('sha256', { hash: shortHash(file.sha256) })}</code>
        </span>
      ),
    },
    {
      key: 'fileSize',
      title: t('size'),
      align: 'right' as const,
      render: (file: RequestFile) => formatBytes(file.fileSize),
    },
  ]
  return (
    <Section title={title}>
      <ShortTable
        rows={request.files}
        label={title}
        rowsPerPage={5}
        columns={canChoose ? [choice, ...columns] : columns}
      />
      {canChoose &&
        (zip.bytes === null ? (
          <Button
            variant="default"
            mt={8}
            leftSection={<IconDownload size={14} />}
            disabled={chosen.size === 0}
            onClick={() => void zip.start([...chosen])}
          >
            {t('download')}
          </Button>
        ) : (
          <Button variant="default" mt={8} rightSection={<IconX size={13} />} onClick={zip.stop}>
            {t('downloading', { size: formatBytes(zip.bytes) })}
          </Button>
        ))}
    </Section>
  )
}
