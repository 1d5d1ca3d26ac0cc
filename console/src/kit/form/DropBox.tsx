// A box for one file, chosen by click or key, or dropped. It shows the chosen file.
import { formatBytes } from '@acc/contract/labels/formats'
import { FileButton, UnstyledButton } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { type DragEvent, useRef, useState } from 'react'
import { FileName } from '../layout/FileName.tsx'
import css from './DropBox.module.css'

type Props = {
  label: string
  /** Extensions that the dialog of the browser offers, without the dot. Dropped files may have others. */
  extensions: readonly string[]
  file: File | null
  onFile: (file: File) => void
  isDisabled: boolean
  /** While no file is chosen: what to do, and which files are accepted. */
  words: { drop: string; accepted: string }
}

export function DropBox({ label, extensions, file, onFile, isDisabled, words }: Props) {
  const [isOver, setOver] = useState(false)
  // The same file can be chosen again after it was refused.
  const forget = useRef<() => void>(null)
  const choose = (chosen: File | null | undefined) => {
    forget.current?.()
    if (chosen && !isDisabled) onFile(chosen)
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
    <FileButton accept={extensions.map((one) => `.${one}`).join(',')} onChange={choose} resetRef={forget}>
      {(props) => (
        <UnstyledButton
          {...props}
          className={css.box}
          data-over={isOver || undefined}
          aria-label={label}
          disabled={isDisabled}
          onDragOver={drag(true)}
          onDragLeave={drag(false)}
          onDrop={drop}
        >
          <IconFileUpload size={26} stroke={1.5} aria-hidden />
          {file === null ? <span>{words.drop}</span> : <FileName name={file.name} />}
          <small>{file === null ? words.accepted : formatBytes(file.size)}</small>
        </UnstyledButton>
      )}
    </FileButton>
  )
}
