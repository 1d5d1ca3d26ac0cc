// What the BIM screen shows: one of four menus, and in two of them the row that is created or updated (spec S2 §2.2, §4).
import { z } from 'zod'
import type { useView } from '../../kit/layout/view.ts'

export const BIM_MENUS = ['bimServers', 'bimExceptions', 'bimTargets', 'bimConnections'] as const

export const BimView = z.object({
  menu: z.enum(BIM_MENUS).default('bimServers'),
  mode: z.enum(['create', 'update']).default('update'),
  /** The row that is updated. */
  idx: z.number().optional(),
  search: z.string().default(''),
})
export type BimView = z.output<typeof BimView>
export type SetBimView = ReturnType<typeof useView<typeof BimView>>[1]

/** Returns the rows whose texts contain the searched one. */
export function found<T>(rows: readonly T[], search: string, textsOf: (row: T) => readonly string[]): readonly T[] {
  const text = search.trim().toLocaleLowerCase()
  if (text === '') return rows
  return rows.filter((row) => textsOf(row).some((one) => one.toLocaleLowerCase().includes(text)))
}

/** Keeps what an IPv4 address consists of: digits and dots. */
export const ipCharacters = (text: string): string => text.replace(/[^0-9.]/g, '')
