// An editor for XML and JSON. CodeMirror is fetched when the first one is shown.
import { use, useEffect, useRef } from 'react'
import { fetchedPart } from '../../kit/browser/fetchedPart.ts'
import css from './ConfigTexts.module.css'
import type { EditorOptions } from './codeMirror.ts'

const fetchCodeMirror = fetchedPart(() => import('./codeMirror.ts'))

type Props = Pick<EditorOptions, 'language' | 'label' | 'text' | 'onChange' | 'check'> & {
  /** Marks what differs from this text. */
  original: string | null
}

export function CodeEditor({ original, ...options }: Props) {
  const { openEditor } = use(fetchCodeMirror())
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<ReturnType<typeof openEditor>>(null)
  const latest = useRef(options)
  latest.current = options
  const { language, label, text } = options
  useEffect(() => {
    if (host.current === null) return
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    const opened = openEditor({
      root,
      language,
      label,
      text: latest.current.text,
      onChange: (next) => latest.current.onChange(next),
      check: (next) => latest.current.check(next),
    })
    editor.current = opened
    return opened.close
  }, [openEditor, language, label])
  useEffect(() => editor.current?.setText(text), [text])
  useEffect(() => editor.current?.compareWith(original), [original])
  return <div className={css.editor} ref={host} />
}
