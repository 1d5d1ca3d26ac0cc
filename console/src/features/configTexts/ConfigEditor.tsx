// Editing one configuration: the text, and beside it the former values and the one in effect, to compare with and to apply.
import type { OldConfig } from '@acc/contract/configTexts'
import { Checkbox } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { useSharedSave } from '../../kit/form/SharedSave.tsx'
import { useConflictGuard } from '../../kit/form/useConflictGuard.tsx'
import { Hint, Pane, PaneFoot } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { SplitPane } from '../../kit/layout/SplitPane.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { CodeEditor } from './CodeEditor.tsx'
import { ConfigHistory } from './ConfigHistory.tsx'
import css from './ConfigTexts.module.css'
import { type ConfigLanguage, faultsOf } from './configFaults.ts'
import { configTextsTexts } from './configTexts.texts.ts'
import { type Config, useConfigForm } from './useConfigForm.ts'

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
  whyDisabled: string | undefined
}

export function ConfigEditor({ config, ...props }: Props) {
  // The texts are compared in the editor.
  const { record, newer, conflictNotice } = useConflictGuard(config, () => [])
  return <ConfigForm key={record.revision} {...props} config={record} newer={newer} notice={conflictNotice} />
}

type FormProps = Props & { newer: Config | undefined; notice: ReactNode }

function ConfigForm({ source, config, newer, old, whyDisabled, notice }: FormProps) {
  const t = useTexts(configTextsTexts)
  // Until somebody decides, what others stored meanwhile is compared at once.
  const [decided, setCompares] = useState<boolean>()
  const compares = decided ?? newer !== undefined
  const [former, setFormer] = useState<{ idx: number; text: string } | null>(null)
  const chosen = former ?? { idx: null, text: (newer ?? config).text }
  const form = useConfigForm(source, config)
  const id = useSharedSave(form, whyDisabled)
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
            {...(chosen.text === form.text && { whyDisabled: t('sameText') })}
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
        {notice}
        <div className={css.head}>
          <h2>{t(source.name)}</h2>
          <Checkbox
            size="xs"
            label={t('compare')}
            checked={compares}
            onChange={(event) => setCompares(event.currentTarget.checked)}
          />
        </div>
        <p className={css.hint}>{t('hint', { HOST: '{{HOST}}' })}</p>
        <CodeEditor
          language={source.language}
          label={t(source.name)}
          text={form.text}
          original={compares ? chosen.text : null}
          onChange={form.setText}
          check={check}
        />
        <p className={form.fault === 'backslash' ? css.hint : css.fault} role="status">
          {form.fault === null ? '' : t(form.fault)}
        </p>
      </form>
    </SplitPane>
  )
}
