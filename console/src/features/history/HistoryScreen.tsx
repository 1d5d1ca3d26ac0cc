// The history viewer: kinds on the left, a list, and for requests the chosen entry beside it.
import { Transfer } from '@acc/contract/enums'
import { useViewer } from '../../kit/api/viewer.ts'
import { Page, PageBody } from '../../kit/layout/Page.tsx'
import { PageHeader } from '../../kit/layout/PageHeader.tsx'
import { useView } from '../../kit/layout/view.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { ClientLoginList } from './ClientLoginList.tsx'
import { FileEximportList } from './FileEximportList.tsx'
import css from './History.module.css'
import { historyTexts } from './history.texts.ts'
import { HistoryView, MENUS, type Menu } from './historyView.ts'

const LISTS = {
  clientLogin: ClientLoginList,
  fileExport: (props: Parameters<typeof ClientLoginList>[0]) => <FileEximportList {...props} type={Transfer.EXPORT} />,
  fileImport: (props: Parameters<typeof ClientLoginList>[0]) => <FileEximportList {...props} type={Transfer.IMPORT} />,
}

export function HistoryScreen() {
  const t = useTexts(historyTexts)
  const { runtime } = useViewer()
  const [view, setView] = useView(HistoryView)
  const isShown = (menu: Menu) => menu !== 'fileImport' || runtime.show.approve.import
  const menu = isShown(view.menu) ? view.menu : 'clientLogin'
  const List = LISTS[menu]
  return (
    <Page>
      <PageHeader />
      <PageBody>
        <div className={css.split}>
          <nav className={css.menu} aria-label={t('menu')}>
            <h2>{t('client')}</h2>
            {MENUS.filter(isShown).map((one) => (
              <button
                key={one}
                type="button"
                aria-current={one === menu ? 'page' : undefined}
                onClick={() => setView({ menu: one, idx: undefined, filters: {}, type: undefined })}
              >
                {t(one)}
              </button>
            ))}
          </nav>
          <div className={css.list}>
            <List key={menu} view={view} setView={setView} />
          </div>
        </div>
      </PageBody>
    </Page>
  )
}
