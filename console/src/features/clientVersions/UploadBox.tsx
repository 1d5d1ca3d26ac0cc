// The upload area: a box for a chosen or dropped file, the upload with its progress, and a way to cancel it.

import { formatBytes } from '@acc/contract/labels/formats'
import { Button, FileButton, Progress, UnstyledButton } from '@mantine/core'
import { IconFileUpload, IconX } from '@tabler/icons-react'
import { type DragEvent, useRef, useState } from 'react'
import { useStore } from '../../kit/browser/store.ts'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { FileName } from '../../kit/layout/FileName.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './ClientVersions.module.css'
import { type ClientUpload, chooseFile, clientUpload, listOf, stopUpload, uploadFile } from './clientUpload.ts'
import { clientVersionsTexts } from './clientVersions.texts.ts'

function Sending({ file, sent }: { file: File; sent: number }) {
  const t = useTexts(clientVersionsTexts)
  const percent = file.size === 0 ? 100 : Math.floor((sent / file.size) * 100)
  return (
    <div className={css.sending}>
      <Progress value={percent} aria-label={t('progress')} />
      <span role="status">
        {sent === file.size ? t('checking') : t('sending', { sent: formatBytes(sent), size: formatBytes(file.size) })}
      </span>
      <Button variant="default" leftSection={<IconX size={14} />} onClick={stopUpload}>
        {t('stop')}
      </Button>
    </div>
  )
}

function Chosen({ upload, extensions }: { upload: ClientUpload | null; extensions: readonly string[] }) {
  const t = useTexts(clientVersionsTexts)
  if (upload === null)
    return (
      <>
        <span>{t('drop')}</span>
        <small>{t('accepted', { extensions: listOf(extensions) })}</small>
      </>
    )
  return (
    <>
      <FileName name={upload.file.name} />
      <small>{formatBytes(upload.file.size)}</small>
    </>
  )
}

export function UploadBox({ extensions }: { extensions: readonly string[] }) {
  const t = useTexts(clientVersionsTexts)
  const upload = useStore(clientUpload)
  const [isOver, setOver] = useState(false)
  const forget = useRef<() => void>(null)
  const isSending = upload?.sent != null
  const choose = (file: File | null | undefined) => {
    forget.current?.()
    if (!isSending) chooseFile(file, extensions)
  }
  const drag = (over: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(over)
  }
  const drop = (event: DragEvent) => {
    drag(false)(event)
    choose(event.dataTransfer.files[0])
  }
  return (
    <section className={css.upload} aria-label={t('uploadTitle')}>
      <h2>{t('uploadTitle')}</h2>
      <FileButton accept={extensions.map((one) => `.${one}`).join(',')} onChange={choose} resetRef={forget}>
        {(props) => (
          <UnstyledButton
            {...props}
            className={css.box}
            data-over={isOver || undefined}
            aria-label={t('choose')}
            disabled={isSending}
            onDragOver={drag(true)}
            onDragLeave={drag(false)}
            onDrop={drop}
          >
            <IconFileUpload size={26} stroke={1.5} />
            <Chosen upload={upload} extensions={extensions} />
          </UnstyledButton>
        )}
      </FileButton>
      {upload?.sent != null ? (
        <Sending file={upload.file} sent={upload.sent} />
      ) : (
        <ReasonedButton
          {...(upload === null && { whyDisabled: t('noFile') })}
          onClick={() => upload && void uploadFile(upload, extensions)}
        >
          {t('upload')}
        </ReasonedButton>
      )}
    </section>
  )
}
