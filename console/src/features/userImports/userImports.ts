// Texts, reads and the view of imports of users.
import { api } from '@acc/contract'
import { ImportAction, ImportState } from '@acc/contract/labels/userImports'
import type { ImportCounts, UserImport } from '@acc/contract/userImports'
import { useEffect, useRef } from 'react'
import { z } from 'zod'
import { refresh, useApiQuery } from '../../kit/api/query.ts'
import { defineTexts, useTexts } from '../../kit/texts/texts.ts'

export const userImportsTexts = defineTexts(
  () => import('./userImports.ko.json'),
  () => import('./userImports.en.json'),
)

export const PLAN_TABS = ['all', 'new', 'changed', 'disabled', 'errors'] as const
export type PlanTab = (typeof PLAN_TABS)[number]

/** The part of the users screen: `importIdx` opens a run, `part` alone the page with the file and earlier runs. */
export const ImportsView = z.object({
  part: z.enum(['imports']).optional(),
  importIdx: z.number().optional(),
  planTab: z.enum(PLAN_TABS).default('all'),
  /** The row whose changes are shown next to the list. */
  row: z.number().optional(),
  rowSearch: z.string().default(''),
  result: z.number().optional(),
  runSearch: z.string().default(''),
})

/** Actions of the rows of a tab; undefined: all. */
export const TAB_ACTIONS: Readonly<Record<PlanTab, ImportAction[] | undefined>> = {
  all: undefined,
  new: [ImportAction.CREATE],
  changed: [ImportAction.UPDATE, ImportAction.MOVE, ImportAction.ENABLE],
  disabled: [ImportAction.DISABLE],
  errors: [ImportAction.ERROR],
}

/** Whether the server works on it. */
export const isRunning = ({ state }: Pick<UserImport, 'state'>): boolean =>
  state === ImportState.PLANNING || state === ImportState.APPLYING

/** Whether it was applied, at least in part. */
export const isApplied = ({ state, counts }: Pick<UserImport, 'state' | 'counts'>): boolean =>
  state === ImportState.APPLYING ||
  state === ImportState.PAUSED ||
  state === ImportState.DONE ||
  counts.applied + counts.skipped + counts.failed > 0

/** A run with its progress, which is asked for each second while the server works on it. */
export function useRun(idx: number) {
  const query = useApiQuery(api.userImports.find, { idx }, { checkAfter: (run) => (isRunning(run) ? 1 : null) })
  const state = query.data?.state
  const former = useRef(state)
  useEffect(() => {
    // The rows and the lists are those of the former state.
    if (former.current !== undefined && former.current !== state) void refresh(['userImports', 'users', 'groups'])
    former.current = state
  }, [state])
  return query
}

/** Runs that wait for a person or that the server works on, the newest first. */
export function useOpenRuns(): UserImport[] {
  const { data } = useApiQuery(api.userImports.search, { isOpen: 1, rowsCount: 50 })
  return data?.items ?? []
}

export const CHANGES = ['create', 'update', 'move', 'enable', 'disable'] as const

/** Returns the number of people that the plan changes. */
export const changesOf = (counts: ImportCounts): number => CHANGES.reduce((sum, name) => sum + counts[name], 0)

/** Returns the numbers of changes in words, without those that are zero. */
export function useNumbersText() {
  const t = useTexts(userImportsTexts)
  return (counts: ImportCounts): string => {
    const shown = CHANGES.filter((name) => counts[name] > 0)
    return shown.map((name) => t(`number.${name}`, { count: counts[name] })).join(' · ') || t('number.none')
  }
}
