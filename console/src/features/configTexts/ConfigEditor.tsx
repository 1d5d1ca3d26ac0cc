// Edits one configuration. Next to the text are the former values and the one in effect, to compare with and to apply.
import { api } from '@acc/contract'
import type { OldConfig } from '@acc/contract/configTexts'
import { ApiError } from '@acc/contract/core/client'
import { formatMoment } from '@acc/contract/labels/formats'
import { Alert, Checkbox, Group, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type FormEvent, use, useEffect, useRef, useState } from 'react'
import { markHandled } from '../../kit/api/errors.ts'
import { errorText } from '../../kit/api/errorText.ts'
import { refresh } from '../../kit/api/query.ts'
import { fetchedPart } from '../../kit/browser/fetchedPart.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { showToast } from '../../kit/dialogs/toast.tsx'
import { useBeginning } from '../../kit/form/conflictGuard.tsx'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { useSharedSave } from '../../kit/form/SaveBar.tsx'
import { useUnsaved } from '../../kit/form/unsaved.ts'
import { Hint, Pane, PaneFoot } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { SplitPane } from '../../kit/layout/SplitPane.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { defineTexts, useTexts } from '../../kit/texts/texts.ts'
import css from './ConfigTexts.module.css'
import type { EditorOptions } from './codeMirror.ts'
import { type ConfigFault, type ConfigLanguage, faultsOf } from './configFaults.ts'

/** CodeMirror is fetched when the first editor is shown. */
const fetchCodeMirror = fetchedPart(() => import('./codeMirror.ts'))

type EditorProps = Pick<EditorOptions, 'language' | 'label' | 'text' | 'onChange' | 'check'> & {
  /** Marks what differs from this text. */
  original: string | null
}

/** An editor for XML and JSON. */
function CodeEditor({ original, ...options }: EditorProps) {
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

/** The text of a configuration while it is edited. Save is disabled while it equals the value in effect. */
type Config = { text: string; revision: number }

function useConfigForm(source: ConfigSource, config: Config, newer: Config | undefined) {
  const t = useTexts(configTextsTexts)
  const kit = useTexts(kitTexts)
  const [text, setText] = useState(config.text)
  const [saved, setSaved] = useState(config.text)
  const [fault, setFault] = useState<ConfigFault['kind'] | null>(null)
  const [isSaving, setSaving] = useState(false)
  const isDirty = text !== saved
  const reset = () => setText(saved)
  useUnsaved(isDirty, reset, { isSaving })
  const explain = async (error: ApiError) => {
    if (error.error !== 'INVALID_INPUT' && error.error !== 'CHANGED_MEANWHILE') return
    markHandled(error)
    const isChanged = error.error === 'CHANGED_MEANWHILE'
    await showMessage({ title: t('refusedTitle'), body: isChanged ? errorText(error) : t('refused') })
    if (isChanged) await refresh(api.configTexts.setSiteConfig.changes)
  }
  const save = async () => {
    setSaving(true)
    try {
      // The newer version is on the screen, compared with the text.
      await source.set(text, (newer ?? config).revision)
      setSaved(text)
      await refresh(api.configTexts.setSiteConfig.changes)
      showToast(kit('saved'))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setSaving(false)
      await explain(error)
    } finally {
      setSaving(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  const whyInvalid = fault === null || fault === 'backslash' ? undefined : t('invalid')
  const whyDisabled = isDirty ? whyInvalid : kit('form.unchanged')
  return { text, setText, fault, setFault, isDirty, isSaving, whyDisabled, reset, save: submit }
}

type ConfigHistoryProps = {
  logs: readonly OldConfig[]
  /** Null: the value in effect. */
  chosen: number | null
  onChoose: (entry: OldConfig | null) => void
}

/** The last changes of a configuration, the oldest first, and the value in effect. */
function ConfigHistory({ logs, chosen, onChoose }: ConfigHistoryProps) {
  const t = useTexts(configTextsTexts)
  return (
    <ul className={css.history}>
      {logs.map((entry) => (
        <li key={entry.idx}>
          <button type="button" className="option" aria-pressed={entry.idx === chosen} onClick={() => onChoose(entry)}>
            {formatMoment(entry.logDT)}
            <small>{entry.actorName}</small>
          </button>
        </li>
      ))}
      <li>
        <button type="button" className="option" aria-pressed={chosen === null} onClick={() => onChoose(null)}>
          {t('current')}
        </button>
      </li>
    </ul>
  )
}

const configTextsTexts = defineTexts(
  () => import('./configTexts.ko.json'),
  () => import('./configTexts.en.json'),
)

export type ConfigSource = {
  name: 'siteConfig' | 'clientPolicy'
  language: ConfigLanguage
  set: (text: string, revision: number) => Promise<{ revision: number }>
  findOld: (idx: number) => Promise<{ logs: OldConfig[] }>
}

type Props = {
  source: ConfigSource
  config: Config
  old: UseQueryResult<{ logs: OldConfig[] }>
}

export function ConfigEditor({ config, ...props }: Props) {
  const beginning = useBeginning(config)
  const newer = beginning.revision === config.revision ? undefined : config
  return <ConfigForm key={beginning.revision} {...props} config={beginning} newer={newer} />
}

type FormProps = Props & { newer: Config | undefined }

function ConfigForm({ source, config, newer, old }: FormProps) {
  const t = useTexts(configTextsTexts)
  const kit = useTexts(kitTexts)
  // Until somebody decides, a text that others stored concurrently is compared at once.
  const [decided, setCompares] = useState<boolean>()
  const compares = decided ?? newer !== undefined
  const [former, setFormer] = useState<{ idx: number; text: string } | null>(null)
  const chosen = former ?? { idx: null, text: (newer ?? config).text }
  const form = useConfigForm(source, config, newer)
  const id = useSharedSave(form)
  const choose = async (entry: OldConfig | null) => {
    const found = entry && (entry.oldValue ?? (await source.findOld(entry.idx)).logs[0]?.oldValue ?? null)
    if (entry === null || found === null) return setFormer(null)
    setFormer({ idx: entry.idx, text: found })
    setCompares(true)
  }
  const check = (text: string) => {
    const faults = faultsOf(source.language, text)
    form.setFault(faults[0]?.kind ?? null)
    return faults.map(({ kind, at }) => ({
      at,
      severity: kind === 'backslash' ? ('info' as const) : ('error' as const),
      message: t(kind),
    }))
  }
  const history = (
    <Pane
      title={t('history')}
      foot={
        <PaneFoot>
          <ReasonedButton
            variant="default"
            whyDisabled={chosen.text === form.text ? t('sameText') : undefined}
            onClick={() => form.setText(chosen.text)}
          >
            {t('apply')}
          </ReasonedButton>
        </PaneFoot>
      }
    >
      <Hint>{t('historyHint')}</Hint>
      <QueryState of={old}>
        {({ logs }) => <ConfigHistory logs={logs} chosen={chosen.idx} onChoose={(entry) => void choose(entry)} />}
      </QueryState>
    </Pane>
  )
  return (
    <SplitPane name="settings.history" label={t('history')} at="end" width={230} side={history}>
      <form id={id} className={css.form} aria-label={t(source.name)} onSubmit={form.save}>
        {newer && (
          <Alert role="status" color="yellow" flex="none" mb={12} p="8px 12px" title={kit('held.changed')}>
            {t('compared')}
          </Alert>
        )}
        <Group justify="space-between" gap={12} wrap="nowrap">
          <h2>{t(source.name)}</h2>
          <Checkbox
            label={t('compare')}
            checked={compares}
            onChange={(event) => setCompares(event.currentTarget.checked)}
          />
        </Group>
        <p className="quiet">{t('hint', { HOST: '{{HOST}}' })}</p>
        <CodeEditor
          language={source.language}
          label={t(source.name)}
          text={form.text}
          original={compares ? chosen.text : null}
          onChange={form.setText}
          check={check}
        />
        <Text className="quiet" c={form.fault === 'backslash' ? undefined : 'var(--bad)'} role="status">
          {form.fault === null ? '' : t(form.fault)}
        </Text>
      </form>
    </SplitPane>
  )
}
