// Texts, reads and view state of the BIM screen.
import { api } from '@acc/contract'
import { z } from 'zod'
import { useApiQuery } from '../../kit/api/query.ts'
import { namesOf, type Parts } from '../../kit/layout/screen.ts'
import type { ViewProps } from '../../kit/layout/view.ts'
import { defineTexts } from '../../kit/texts/texts.ts'

export const bimTexts = defineTexts(
  () => import('./bim.ko.json'),
  () => import('./bim.en.json'),
)

const checkAfter = (data: { checkAfter: number | null }) => data.checkAfter

/** Looks again when a server may have fallen silent. */
export const useServers = () => useApiQuery(api.bim.searchServers, {}, { checkAfter })
export const useConnections = () => useApiQuery(api.bim.searchConnections, {}, { checkAfter })

export const BIM_MENUS = {
  bimServers: { title: { ko: 'BIM 서버', en: 'BIM servers' } },
  bimExceptions: { title: { ko: '항상 허용 IP', en: 'Always-allowed IPs' }, words: '예외 주소 exceptions addresses' },
  bimTargets: { title: { ko: '허용 그룹과 사용자', en: 'Allowed groups and users' }, words: '대상 targets' },
  bimConnections: { title: { ko: '실시간 접속', en: 'Live connections' }, words: '연결 세션 sessions' },
} satisfies Parts

/** One of four menus, and in two of them the row that is created or updated (spec S2 §2.2, §4). */
export const BimView = z.object({
  menu: z.enum(namesOf(BIM_MENUS)).default('bimServers'),
  mode: z.enum(['create', 'update']).default('update'),
  /** The row that is updated. */
  idx: z.number().optional(),
  search: z.string().default(''),
})
export type BimProps = ViewProps<typeof BimView>

/** Returns the rows whose texts contain the searched one. */
export function found<T>(rows: readonly T[], search: string, textsOf: (row: T) => readonly string[]): readonly T[] {
  const text = search.trim().toLocaleLowerCase()
  if (text === '') return rows
  return rows.filter((row) => textsOf(row).some((one) => one.toLocaleLowerCase().includes(text)))
}

/** Keeps what an IPv4 address consists of: digits and dots. */
export const ipCharacters = (text: string): string => text.replace(/[^0-9.]/g, '')
