// Queries of shortcuts: all of a kind at once, since they are few and are edited in place (spec S1 §7).
import { api } from '@acc/contract'
import { useApiQuery } from '../../kit/api/query.ts'

const allOf = (rowsCount: number, keyword: string) =>
  ({ rowsCount, sort: 'name', sortOrder: 0, ...(keyword !== '' && { keyword }) }) as const

export const useShortcutWebs = (keyword: string) =>
  useApiQuery(api.shortcuts.searchWebs, allOf(api.shortcuts.searchWebs.maxRows, keyword), { keepsFormer: true })

export const useShortcutPrograms = (keyword: string) =>
  useApiQuery(api.shortcuts.searchPrograms, allOf(api.shortcuts.searchPrograms.maxRows, keyword), { keepsFormer: true })
