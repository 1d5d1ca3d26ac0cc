// The CSV button of a list: shows the size received while it runs, and cancels when pressed again.
import type { InputOf, Route } from '@acc/contract/core/route'
import { formatBytes } from '@acc/contract/labels/formats'
import { Button, Loader, Tooltip } from '@mantine/core'
import { IconDownload, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { downloadCsv } from '../api/csv.ts'
import { markHandled } from '../api/errors.ts'
import { errorText } from '../api/errorText.ts'
import { showMessage } from '../dialogs/dialogs.tsx'
import { showToast } from '../dialogs/toast.tsx'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'

type Props<R extends Route> = { route: R; input: InputOf<R>; name: string; isDisabled: boolean }

export function CsvButton<R extends Route>({ route, input, name, isDisabled }: Props<R>) {
  const t = useTexts(kitTexts)
  const [bytes, setBytes] = useState<number | null>(null)
  const running = useRef<AbortController>(null)
  const start = async () => {
    const job = new AbortController()
    running.current = job
    setBytes(0)
    try {
      const file = await downloadCsv(route, input, { name, signal: job.signal, onBytes: setBytes })
      setBytes(null)
      showToast(t('table.csvDone', { name: file }))
    } catch (error) {
      markHandled(error)
      setBytes(null)
      if (!job.signal.aborted) await showMessage({ title: t('table.csvFailed'), body: errorText(error) })
    }
  }
  if (bytes !== null)
    return (
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<Loader size={12} color="gray" />}
        rightSection={<IconX size={13} />}
        onClick={() => running.current?.abort()}
        aria-label={`${t('table.csvRunning', { size: formatBytes(bytes) })}, ${t('cancel')}`}
      >
        {t('table.csvRunning', { size: formatBytes(bytes) })}
      </Button>
    )
  return (
    <Tooltip label={t('table.csvHint')}>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconDownload size={14} />}
        disabled={isDisabled}
        onClick={() => void start()}
      >
        {t('table.csv')}
      </Button>
    </Tooltip>
  )
}
