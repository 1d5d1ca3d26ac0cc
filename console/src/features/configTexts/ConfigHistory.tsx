// The last changes of a configuration, the oldest first, and the value in effect.
import type { OldConfig } from '@acc/contract/configTexts'
import { formatMoment } from '@acc/contract/labels/formats'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './ConfigTexts.module.css'
import { configTextsTexts } from './configTexts.texts.ts'

type Props = {
  logs: readonly OldConfig[]
  /** Null: the value in effect. */
  chosen: number | null
  onChoose: (entry: OldConfig | null) => void
}

export function ConfigHistory({ logs, chosen, onChoose }: Props) {
  const t = useTexts(configTextsTexts)
  return (
    <ul className={css.history}>
      {logs.map((entry) => (
        <li key={entry.idx}>
          <button type="button" aria-pressed={entry.idx === chosen} onClick={() => onChoose(entry)}>
            {formatMoment(entry.logDT)}
            <small>{entry.actorName}</small>
          </button>
        </li>
      ))}
      <li>
        <button type="button" aria-pressed={chosen === null} onClick={() => onChoose(null)}>
          {t('current')}
        </button>
      </li>
    </ul>
  )
}
