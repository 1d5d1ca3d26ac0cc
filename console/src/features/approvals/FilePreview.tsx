// A file of a request, shown without taking it home: texts, tables, pictures and pages, and the names in an archive.
// Nothing in it runs: a thread makes texts and pixels of it (preview.worker.ts).
import { isMisnamed } from '@acc/contract/filePreview'
import { FileKind } from '@acc/contract/labels/fileKind'
import { formatBytes } from '@acc/contract/labels/formats'
import type { FileEximportDetail } from '@acc/contract/requests'
import { Alert, Button, Kbd, Text, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { errorText } from '../../kit/api/errorText.ts'
import { useShortcut } from '../../kit/browser/useShortcut.ts'
import { DialogWindow } from '../../kit/dialogs/DialogWindow.tsx'
import { FileName } from '../../kit/layout/FileName.tsx'
import { Empty, Loading } from '../../kit/layout/QueryState.tsx'
import { useLabel } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import approvals from './Approvals.module.css'
import { approvalsTexts } from './approvals.ts'
import css from './FilePreview.module.css'
import type { PreviewPicture } from './preview.worker.ts'
import { type Preview, usePreview } from './usePreview.ts'

type RequestFile = FileEximportDetail['files'][number]

/** Pixels of pictures across: those of the dialog on a dense screen. */
const WIDTH = 2000
const NARROW = '(max-width: 899px)'

function Picture({ picture, label, text }: { picture: ImageBitmap; label: string; text: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (canvas.current === null) return
    const { width, height } = picture
    Object.assign(canvas.current, { width, height })
    canvas.current.getContext('2d')?.drawImage(picture, 0, 0)
  }, [picture])
  return (
    <>
      <canvas ref={canvas} className={css.picture} role="img" aria-label={label} />
      {text !== '' && <VisuallyHidden>{text}</VisuallyHidden>}
    </>
  )
}

function Sheet({ rows, hasHead }: { rows: readonly (readonly string[])[]; hasHead: boolean }) {
  return (
    <table className={css.sheet}>
      <tbody>
        {rows.map((cells, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name and do not move
          <tr key={row}>
            {cells.map((cell, at) =>
              row === 0 && hasHead ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <th key={at} scope="col">
                  {cell}
                </th>
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <td key={at}>{cell}</td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type Shown = NonNullable<Preview['shown']>

function Content({ shown, name }: { shown: Shown; name: string }) {
  const t = useTexts(approvalsTexts)
  if ('picture' in shown) {
    const label = shown.pages > 1 ? t('previewPageOf', { name, page: shown.page, pages: shown.pages }) : name
    return <Picture picture={shown.picture} label={label} text={shown.text} />
  }
  if ('rows' in shown) return <Sheet rows={shown.rows} hasHead />
  if ('entries' in shown)
    return <Sheet rows={shown.entries.map((entry) => [entry.name, formatBytes(entry.size)])} hasHead={false} />
  return <pre className={css.text}>{shown.text}</pre>
}

/** Warns where the content is cut, damaged, or of another kind than the name. */
function Warnings({ file, preview }: { file: RequestFile; preview: Preview }) {
  const t = useTexts(approvalsTexts)
  const labelOf = useLabel()
  const { kind, shown, bytes = file.fileSize } = preview
  const isCut = bytes < file.fileSize || (shown !== undefined && 'isMore' in shown && shown.isMore)
  const isPartOfZip = shown !== undefined && 'entries' in shown && shown.entries.length < shown.count
  const warnings = [
    kind !== undefined && isMisnamed(file.fileName, kind) && t('misnamed', { kind: labelOf(FileKind.labels[kind]) }),
    (isCut || isPartOfZip) && t('previewCut'),
    shown !== undefined && 'isBroken' in shown && shown.isBroken && t('previewBroken'),
  ].filter((one) => one !== false)
  return warnings.length === 0 ? null : (
    <Alert color="yellow" className={css.warning}>
      {warnings.map((one) => (
        <div key={one}>{one}</div>
      ))}
    </Alert>
  )
}

function Problem({ problem }: { problem: NonNullable<Preview['problem']> }) {
  const t = useTexts(approvalsTexts)
  if (problem instanceof Error) return <Empty title={t('previewFailed')} hint={errorText(problem)} />
  return <Empty title={t(`noPreview.${problem}`)} hint={t('noPreviewHint')} />
}

type StepProps = { label: string; isLast: boolean; onPress: () => void; children: ReactNode }
const Step = ({ label, isLast, onPress, children }: StepProps) => (
  <Button
    variant="default"
    size="compact-sm"
    className={approvals.touch}
    aria-label={label}
    title={label}
    data-disabled={isLast || undefined}
    aria-disabled={isLast}
    onClick={() => !isLast && onPress()}
  >
    {children}
  </Button>
)

type PagesProps = {
  picture: PreviewPicture
  turnTo: (page: number) => void
  within: React.RefObject<HTMLElement | null>
}
function Pages({ picture: { page, pages }, turnTo, within }: PagesProps) {
  const t = useTexts(approvalsTexts)
  const turn = (by: number) => page + by >= 1 && page + by <= pages && turnTo(page + by)
  useShortcut('PageDown', () => turn(1), { within })
  useShortcut('PageUp', () => turn(-1), { within })
  if (pages === 1) return null
  return (
    <div className={css.steps}>
      <Step label={t('previousPage')} isLast={page === 1} onPress={() => turn(-1)}>
        <IconChevronLeft size={14} />
      </Step>
      <span role="status">{t('pageNumber', { page, pages })}</span>
      <Step label={t('nextPage')} isLast={page === pages} onPress={() => turn(1)}>
        <IconChevronRight size={14} />
      </Step>
    </div>
  )
}

type Props = {
  request: FileEximportDetail
  /** The file that is shown first. */
  first: number
  onClose: () => void
}

export function FilePreview({ request: { idx, files }, first, onClose }: Props) {
  const t = useTexts(approvalsTexts)
  const labelOf = useLabel()
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const frame = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      files.findIndex((file) => file.idx === first),
    ),
  )
  const file = files[at] as RequestFile
  const { preview, turnTo } = usePreview({ fileEximport: idx, idx: file.idx, fileName: file.fileName }, WIDTH)
  const go = (by: number) => setAt((now) => Math.min(files.length - 1, Math.max(0, now + by)))
  useShortcut('ArrowRight', () => go(1), { within: frame })
  useShortcut('ArrowLeft', () => go(-1), { within: frame })
  useShortcut('P', onClose, { within: frame })
  const { kind, shown, problem } = preview
  const content = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file or page begins at its top
  useEffect(() => void content.current?.scrollTo(0, 0), [shown])
  return (
    <DialogWindow
      onClose={onClose}
      size={1100}
      fullScreen={isNarrow === true}
      title={<FileName name={file.fileName} />}
      classNames={{ title: css.title ?? '', body: css.body ?? '' }}
    >
      <div ref={frame} className={css.frame}>
        <Text size="sm" c="dimmed" role="status">
          {[
            files.length > 1 && t('fileNumber', { at: at + 1, count: files.length }),
            kind !== undefined && labelOf(FileKind.labels[kind]),
            formatBytes(file.fileSize),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        <Warnings file={file} preview={preview} />
        <section
          ref={content}
          className={css.content}
          aria-label={t('previewOf', { name: file.fileName })}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
          tabIndex={0}
          data-autofocus
        >
          {problem !== undefined ? (
            <Problem problem={problem} />
          ) : shown === undefined ? (
            <Loading />
          ) : (
            <Content shown={shown} name={file.fileName} />
          )}
        </section>
        <div className={css.foot}>
          <Text size="xs" c="dimmed">
            {t('previewRecorded')}
          </Text>
          {shown !== undefined && 'picture' in shown && <Pages picture={shown} turnTo={turnTo} within={frame} />}
          {files.length > 1 && (
            <div className={css.steps}>
              <Step label={t('previousFile')} isLast={at === 0} onPress={() => go(-1)}>
                <Kbd size="xs">←</Kbd>
              </Step>
              <Step label={t('nextFile')} isLast={at === files.length - 1} onPress={() => go(1)}>
                <Kbd size="xs">→</Kbd>
              </Step>
            </div>
          )}
        </div>
      </div>
    </DialogWindow>
  )
}
