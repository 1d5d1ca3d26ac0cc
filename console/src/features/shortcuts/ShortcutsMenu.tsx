// The menu *shortcut* of the settings (spec S1 §2): web and program shortcuts, searched together.
import { Box } from '@mantine/core'
import { useState } from 'react'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { FilterBar, SearchBox } from '../../kit/table/FilterBar.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Shortcuts.module.css'
import { ShortcutTable } from './ShortcutTable.tsx'
import { rowOfProgram, rowOfWeb, shortcutsTexts, useShortcutPrograms, useShortcutWebs } from './shortcuts.ts'

export function ShortcutsMenu() {
  const t = useTexts(shortcutsTexts)
  const [keyword, setKeyword] = useState('')
  const webs = useShortcutWebs(keyword)
  const programs = useShortcutPrograms(keyword)
  const isFiltered = keyword !== ''
  return (
    <>
      <Box pt={16}>
        <FilterBar>
          <SearchBox label={t('search')} value={keyword} onChange={setKeyword} />
        </FilterBar>
      </Box>
      <div className={css.menu}>
        <QueryState of={webs} failed={t('web.failed')}>
          {({ items }) => <ShortcutTable kind="web" rows={items.map(rowOfWeb)} isFiltered={isFiltered} />}
        </QueryState>
        <QueryState of={programs} failed={t('program.failed')}>
          {({ items }) => <ShortcutTable kind="program" rows={items.map(rowOfProgram)} isFiltered={isFiltered} />}
        </QueryState>
      </div>
    </>
  )
}
