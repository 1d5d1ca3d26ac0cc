// The history viewer: menus on the left, the list of the selected menu, and next to it the selected entry.
import { useViewer } from '../../kit/api/viewer.ts'
import { Page, PageBody, PageHeader } from '../../kit/layout/Page.tsx'
import { ScreenMenu } from '../../kit/layout/ScreenMenu.tsx'
import { useView } from '../../kit/layout/view.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import css from './History.module.css'
import { HistoryList } from './HistoryList.tsx'
import { HistoryView, historyTexts, UNFILTERED } from './history.ts'
import { logOf, menusOf, titleOf } from './logs.ts'

export function HistoryScreen() {
  const t = useTexts(historyTexts)
  const language = useLanguage()
  const [asked, setView] = useView(HistoryView)
  const groups = menusOf(useViewer())
  const isShown = groups.some(({ menus }) => menus.includes(asked.menu))
  const view = isShown ? asked : HistoryView.parse({})
  return (
    <Page>
      <PageHeader />
      <PageBody>
        <ScreenMenu
          label={t('menu')}
          groups={groups.map(({ group, menus }) => ({
            title: t(`group.${group}`),
            items: menus.map((menu) => ({ value: menu, label: titleOf(menu, language) })),
          }))}
          value={view.menu}
          onChange={(menu) => setView({ menu, idx: undefined, ...UNFILTERED })}
        >
          <div className={css.list}>
            <HistoryList key={view.menu} view={view} setView={setView} log={logOf(view.menu)} />
          </div>
        </ScreenMenu>
      </PageBody>
    </Page>
  )
}
