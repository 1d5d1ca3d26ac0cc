// Texts and reads of the synchronization of users.
import { api } from '@acc/contract'
import { ImportSource, ImportState, SyncKind } from '@acc/contract/labels/userImports'
import { useApiQuery } from '../../kit/api/query.ts'
import type { Parts } from '../../kit/layout/screen.ts'
import { useOpenScreen } from '../../kit/layout/view.ts'
import { defineTexts } from '../../kit/texts/texts.ts'

export const userSyncTexts = defineTexts(
  () => import('./userSync.ko.json'),
  () => import('./userSync.en.json'),
)

export const useSync = () => useApiQuery(api.userSync.find, {})

/** The source of the runs of a kind of synchronization. */
export const sourceOf = (kind: SyncKind): ImportSource =>
  kind === SyncKind.FOLDER ? ImportSource.FOLDER : ImportSource.DIRECTORY

/** The newest run, whose progress is asked for while the server works on it. */
export function useLastRun(kind: SyncKind) {
  const { data } = useApiQuery(
    api.userImports.search,
    { source: sourceOf(kind), rowsCount: 1 },
    {
      checkAfter: ({ items: [run] }) =>
        run?.state === ImportState.PLANNING || run?.state === ImportState.APPLYING ? 2 : null,
    },
  )
  return data?.items[0]
}

/** Opens a run, which is a part of the users screen. */
export function useOpenRun() {
  const openScreen = useOpenScreen()
  return (importIdx: number) => openScreen('users', { part: 'imports', importIdx })
}

export const SYNC_TABS = {
  settings: { title: { ko: '설정', en: 'Settings' } },
  runs: { title: { ko: '실행 내역', en: 'Runs' }, words: '동기화 이력 결과 history results' },
} satisfies Parts
