// The files of a request: each with size and hash, those chosen as one zip.
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
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Approvals.module.css'
import { approvalsTexts } from './approvals.texts.ts'

const shortHash = (hash: string) => `${hash.slice(0, 8)}…${hash.slice(-8)}`
const NAME = /filename\*=UTF-8''([^;]+)/i

/** The name that the server gives, else the specification's. */
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
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const canChoose = request.isDownloadable === 1
  const chosen = request.files.filter((file) => !left.has(file.idx))
  const toggle = (idx: number) => {
    const next = new Set(left)
    if (!next.delete(idx)) next.add(idx)
    setLeft(next)
  }
  const size = request.files.reduce((sum, file) => sum + file.fileSize, 0)
  return (
    <Section title={t('filesHead', { count: request.files.length, size: formatBytes(size) })}>
      {request.files.map((file) => (
        <div key={file.idx} className={css.file} data-chosen={(canChoose && !left.has(file.idx)) || undefined}>
          {canChoose && (
            <Checkbox
              size="xs"
              checked={!left.has(file.idx)}
              onChange={() => toggle(file.idx)}
              aria-label={file.fileName}
            />
          )}
          <span className={css.name}>
            <FileName name={file.fileName} />
            <code title={file.sha256}>{t('sha256', { hash: shortHash(file.sha256) })}</code>
          </span>
          <span className={css.size}>{formatBytes(file.fileSize)}</span>
        </div>
      ))}
      {canChoose &&
        (zip.bytes === null ? (
          <Button
            variant="default"
            mt={4}
            leftSection={<IconDownload size={14} />}
            disabled={chosen.length === 0}
            onClick={() => void zip.start(chosen.map((file) => file.idx))}
          >
            {t('download')}
          </Button>
        ) : (
          <Button variant="default" mt={4} rightSection={<IconX size={13} />} onClick={zip.stop}>
            {t('downloading', { size: formatBytes(zip.bytes) })}
          </Button>
        ))}
    </Section>
  )
}
