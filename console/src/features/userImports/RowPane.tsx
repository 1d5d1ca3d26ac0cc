// The selected row: its errors with their corrections, old and new values, and a link to the user.

import { api } from '@acc/contract'
import { ImportAction, ImportResult } from '@acc/contract/labels/userImports'
import type { ImportRow } from '@acc/contract/userImports'
import { Button } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import { BeforeAfter } from '../../kit/layout/BeforeAfter.tsx'
import { Facts, Hint, Pane, Section } from '../../kit/layout/Page.tsx'
import { useOpenScreen } from '../../kit/layout/view.ts'
import { StateDot } from '../../kit/table/StatusDot.tsx'
import { useHeadings } from '../../kit/texts/labels.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { changeOf, faultOf, isAdopted, isFaulty } from './rowWords.ts'
import css from './UserImports.module.css'
import { userImportsTexts } from './userImports.ts'

function Faults({ row }: { row: ImportRow }) {
  const t = useTexts(userImportsTexts)
  const language = useLanguage()
  if (row.faults.length === 0) return null
  return (
    <Section title={t(isFaulty(row) ? 'faults' : 'remarks')}>
      <ul className={css.faults} data-remarks={!isFaulty(row) || undefined}>
        {row.faults.map((fault) => {
          const { column, text, fix } = faultOf(fault, row, { t, language })
          return (
            <li key={`${fault.field} ${fault.fault}`}>
              {column && <strong>{column}</strong>}
              <span>{text}</span>
              {fix && <small>{fix}</small>}
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

function Values({ row }: { row: ImportRow }) {
  const t = useTexts(userImportsTexts)
  const heading = useHeadings(api.userImports.searchRows)
  const texts = { t, language: useLanguage() }
  const changes = row.changes.map((change) => changeOf(change, texts))
  const isNew = row.action === ImportAction.CREATE || row.userIdx === null
  if (isNew || changes.length === 0) {
    const facts: [string, string | undefined][] =
      isNew && changes.length > 0
        ? changes.map(({ label, after }) => [label, after ?? undefined])
        : [
            [heading('key'), row.key],
            [heading('id'), row.id],
            [heading('name'), row.name],
            [heading('email'), row.email],
            [heading('group'), row.group],
          ]
    return (
      <Section title={t(isNew ? 'values' : 'current')}>
        <Facts rows={facts.flatMap(([label, value]) => (value ? [[label, value] as const] : []))} />
      </Section>
    )
  }
  return (
    <Section title={t('changes')}>
      <BeforeAfter changes={changes} />
    </Section>
  )
}

export function RowPane({ row, isApplied }: { row: ImportRow; isApplied: boolean }) {
  const t = useTexts(userImportsTexts)
  const openScreen = useOpenScreen()
  const { userIdx, line } = row
  return (
    <Pane title={row.name || row.id || t('person')} aside={<StateDot label={ImportAction.labels[row.action]} />}>
      <div className={css.rowHead}>
        {line !== null && <span className="quiet">{t('lineOf', { line })}</span>}
        {isApplied && row.result !== ImportResult.WAITING && <StateDot label={ImportResult.labels[row.result]} />}
        {userIdx !== null && (
          <Button
            variant="default"
            size="compact-sm"
            rightSection={<IconArrowUpRight size={13} />}
            onClick={() => openScreen('users', { idx: userIdx })}
          >
            {t('openUser')}
          </Button>
        )}
      </div>
      <Faults row={row} />
      {isAdopted(row) && <Hint>{t('adopted')}</Hint>}
      <Values row={row} />
    </Pane>
  )
}
