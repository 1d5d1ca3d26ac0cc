// The words of a row: its faults with what would be right, and its changes with old and new values.
import { formatDay } from '@acc/contract/labels/formats'
import {
  IMPORT_FIELDS,
  ImportAction,
  ImportFault,
  type ImportField,
  ImportResult,
} from '@acc/contract/labels/userImports'
import type { ImportRow } from '@acc/contract/userImports'
import type { Translate } from '../../kit/texts/texts.ts'
import type { Language } from '../../kit/texts/translate.ts'
import type ko from './userImports.ko.json'

export type Texts = { t: Translate<typeof ko>; language: Language }
type Fault = ImportRow['faults'][number]
type Change = ImportRow['changes'][number]

/** Returns the text of a value; null if there is none. */
export function valueText(field: ImportField, value: string | null, { t }: Pick<Texts, 't'>): string | null {
  if (value === null || value === '') return null
  if (field === 'isEnabled') return t(value === '0' ? 'suspended' : 'enabled')
  return field === 'expireDT' ? formatDay(value) : value
}

export const changeOf = ({ field, old, new: next }: Change, texts: Texts) => ({
  label: IMPORT_FIELDS[field][texts.language],
  before: valueText(field, old, texts),
  after: valueText(field, next, texts),
})

/** Faults of a value that the person can write differently. */
const OF_VALUES: readonly ImportFault[] = [ImportFault.MISSING, ImportFault.FORMAT, ImportFault.NOT_CLEARABLE]

type Row = Pick<ImportRow, 'line'>

function hintOf({ fault, hint }: Fault, { line }: Row, t: Texts['t']): string[] {
  // What is right is said of every column below.
  if (hint === '' || OF_VALUES.includes(fault)) return []
  if (fault === ImportFault.NO_GROUP) return [t('hint.NO_GROUP', { hint })]
  if (fault === ImportFault.CELLS) return [t('hint.CELLS', { hint })]
  // The other row of a file is named by its line, that of a directory by its ID.
  if (fault === ImportFault.REPEATED) return [t(line === null ? 'hint.repeatedId' : 'hint.repeatedLine', { hint })]
  return [hint]
}

function fixOf({ field, fault }: Fault, t: Texts['t']): string[] {
  if (field !== null && OF_VALUES.includes(fault)) return [t(`right.${field}`)]
  if (fault === ImportFault.EXPIRY) return [t('right.expireDT')]
  if (fault === ImportFault.NO_GROUP) return [t('fix.NO_GROUP')]
  if (fault === ImportFault.TAKEN) return [t('fix.TAKEN')]
  if (fault === ImportFault.OTHER_SOURCE) return [t('fix.OTHER_SOURCE')]
  return fault === ImportFault.CELLS ? [t('fix.CELLS')] : []
}

/** Returns the column, the fault and how to correct it. */
export function faultOf(fault: Fault, row: Row, { t, language }: Texts): { column: string; text: string; fix: string } {
  return {
    column: fault.field === null ? '' : IMPORT_FIELDS[fault.field][language],
    text: ImportFault.labels[fault.fault][language],
    fix: [...hintOf(fault, row, t), ...fixOf(fault, t)].join(' '),
  }
}

/** Whether faults keep the row from being applied. Otherwise they are remarks. */
export const isFaulty = ({ action, result }: Pick<ImportRow, 'action' | 'result'>): boolean =>
  action === ImportAction.ERROR || result === ImportResult.FAILED

/** Whether nothing about the user changes but the source that manages them. */
export const isAdopted = ({ action, changes }: Pick<ImportRow, 'action' | 'changes'>): boolean =>
  action === ImportAction.UPDATE && changes.length === 0
