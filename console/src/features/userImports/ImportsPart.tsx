// Imports as a part of the users screen: the file with earlier runs, or one run.

import { api } from '@acc/contract'
import { Page, PageBody, PartHeader } from '../../kit/layout/Page.tsx'
import { useView } from '../../kit/layout/view.ts'
import { FilterBar, SearchBox } from '../../kit/table/FilterBar.tsx'
import { searchFilter } from '../../kit/table/search.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { FileFormat } from './FileFormat.tsx'
import { ImportFile } from './ImportFile.tsx'
import { OpenRunNotice } from './OpenRunNotice.tsx'
import { RunPage } from './RunPage.tsx'
import { RunTable } from './RunTable.tsx'
import css from './UserImports.module.css'
import { ImportsView, userImportsTexts } from './userImports.ts'

function ImportHome() {
  const t = useTexts(userImportsTexts)
  const [{ runSearch }, setView] = useView(ImportsView)
  const open = (importIdx: number) => setView({ part: 'imports', importIdx })
  return (
    <Page>
      <PartHeader
        title={t('title')}
        purpose={t('purpose')}
        back={{ label: t('backToUsers'), onBack: () => setView({ part: undefined }) }}
      />
      <PageBody>
        <div className={css.home}>
          <OpenRunNotice onOpen={(importIdx) => importIdx !== undefined && open(importIdx)} />
          <div className={css.top}>
            <ImportFile onPlanned={open} />
            <FileFormat />
          </div>
          <section className={css.runs} aria-label={t('history')}>
            <h2>{t('history')}</h2>
            <FilterBar>
              <SearchBox
                label={t('searchRuns')}
                value={runSearch}
                onChange={(text) => setView({ runSearch: text }, { replace: true })}
              />
            </FilterBar>
            <RunTable
              filter={searchFilter(api.userImports.search, { search: runSearch })}
              onClear={runSearch === '' ? undefined : () => setView({ runSearch: '' }, { replace: true })}
              onOpen={open}
            />
          </section>
        </div>
      </PageBody>
    </Page>
  )
}

export function ImportsPart() {
  const [{ importIdx }] = useView(ImportsView)
  return importIdx === undefined ? <ImportHome /> : <RunPage key={importIdx} idx={importIdx} />
}
