// CodeMirror in a shadow root: there it adopts style sheets instead of writing style elements, which `style-src 'self'`
// refuses. Its colors are the console's variables, which cross into the shadow.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { xml } from '@codemirror/lang-xml'
import { bracketMatching, foldGutter, syntaxHighlighting } from '@codemirror/language'
import { linter, lintGutter } from '@codemirror/lint'
import { unifiedMergeView } from '@codemirror/merge'
import { Compartment, EditorState } from '@codemirror/state'
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import type { ConfigLanguage } from './configFaults.ts'

const LANGUAGES = { xml, json }
/** Milliseconds of rest after which the text is checked. */
const CHECK_AFTER = 300

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--ink)', backgroundColor: 'var(--bg)' },
  // The element around it shows the focus, like that of every field; what scrolls would cover an outline here.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { color: 'var(--ink-3)', backgroundColor: 'var(--bg-2)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--bg-3)' },
  '.cm-tooltip': { color: 'var(--ink)', backgroundColor: 'var(--bg)', border: '1px solid var(--line-2)' },
  // As specific as the rules of the comparison, which underline what changed in colors of their own.
  '&.cm-merge-b .cm-changedLine': { backgroundColor: 'transparent' },
  '&.cm-merge-b .cm-changedText': { background: 'var(--ok-soft)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--ok)' },
  '&.cm-merge-b .cm-deletedLineGutter': { background: 'var(--bad)' },
  '&.cm-merge-b .cm-deletedChunk': { backgroundColor: 'var(--bad-soft)', color: 'var(--ink)' },
  '&.cm-merge-b .cm-deletedChunk .cm-deletedText': { background: 'none' },
  '.tok-typeName, .tok-tagName, .tok-propertyName': { color: 'var(--accent)' },
  '.tok-string, .tok-string2': { color: 'var(--ok)' },
  '.tok-number, .tok-bool, .tok-keyword, .tok-atom': { color: 'var(--warn)' },
  '.tok-comment, .tok-meta': { color: 'var(--ink-3)' },
  '.tok-invalid': { color: 'var(--bad)' },
})

export type EditorOptions = {
  root: ShadowRoot
  language: ConfigLanguage
  label: string
  text: string
  onChange: (text: string) => void
  /** Returns the marks of the text. */
  check: (text: string) => EditorMark[]
}

type EditorMark = { at: number; severity: 'error' | 'info'; message: string }

const markOf = (length: number, { at, ...mark }: EditorMark) => {
  const from = Math.max(0, Math.min(at, length - 1))
  return { ...mark, from, to: Math.min(from + 1, length) }
}

export function openEditor({ root, language, label, text, onChange, check }: EditorOptions) {
  const comparison = new Compartment()
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        foldGutter(),
        lintGutter(),
        history(),
        bracketMatching(),
        highlightActiveLine(),
        LANGUAGES[language](),
        syntaxHighlighting(classHighlighter),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString())
        }),
        linter(({ state }) => check(state.doc.toString()).map((mark) => markOf(state.doc.length, mark)), {
          delay: CHECK_AFTER,
        }),
        comparison.of([]),
        theme,
      ],
    }),
  })
  return {
    setText: (next: string) => {
      if (next !== view.state.doc.toString())
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } })
    },
    /** Marks what differs from a text; null ends the comparison. */
    compareWith: (original: string | null) =>
      view.dispatch({
        effects: comparison.reconfigure(original === null ? [] : unifiedMergeView({ original, mergeControls: false })),
      }),
    close: () => view.destroy(),
  }
}
