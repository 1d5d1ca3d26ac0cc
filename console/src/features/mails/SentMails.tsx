// Sent mail: the list, and the selected mail next to it.

import { api } from '@acc/contract'
import { mailStateLabel, ShownMailState } from '@acc/contract/labels/mails'
import { Box } from '@mantine/core'
import { z } from 'zod'
import { Page, PageBody } from '../../kit/layout/Page.tsx'
import { Empty } from '../../kit/layout/QueryState.tsx'
import { SplitPane } from '../../kit/layout/SplitPane.tsx'
import { useView } from '../../kit/layout/view.ts'
import { FilterBar, SearchBox, SelectFilter } from '../../kit/table/FilterBar.tsx'
import { type Column, PagedTable } from '../../kit/table/PagedTable.tsx'
import { StateDot } from '../../kit/table/StatusDot.tsx'
import { useHeadings, useOptions } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { MailPane } from './MailPane.tsx'
import { mailsTexts } from './mails.ts'

const View = z.object({
  idx: z.number().optional(),
  receiver: z.string().default(''),
  state: z.literal(ShownMailState.values).optional(),
})

const COLUMNS: Column<typeof api.mails.search>[] = [
  { key: 'state', width: 108, render: (mail) => <StateDot label={mailStateLabel(mail)} /> },
  { key: 'receiver' },
  { key: 'subject' },
  { key: 'createDT', width: 158, below: { key: 'sentDT' } },
]

function Filters() {
  const t = useTexts(mailsTexts)
  const [view, setView] = useView(View)
  const states = useOptions(ShownMailState)
  return (
    <FilterBar>
      <SearchBox
        label={t('search')}
        value={view.receiver}
        onChange={(receiver) => setView({ receiver }, { replace: true })}
      />
      <SelectFilter
        label={useHeadings(api.mails.search)('state')}
        value={view.state}
        options={states}
        onChange={(state) => setView({ state }, { replace: true })}
      />
    </FilterBar>
  )
}

function Detail({ idx }: { idx: number | undefined }) {
  const t = useTexts(mailsTexts)
  if (idx === undefined) return <Empty title={t('choose')} hint={t('chooseHint')} />
  return <MailPane key={idx} idx={idx} />
}

export function SentMails() {
  const t = useTexts(mailsTexts)
  const [{ idx, receiver, state }, setView] = useView(View)
  const isFiltered = receiver !== '' || state !== undefined
  return (
    <Page>
      <Box pt={10}>
        <Filters />
      </Box>
      <PageBody>
        <SplitPane
          name="mails.detail"
          label={t('chosen')}
          at="end"
          width={320}
          side={<Detail idx={idx} />}
          steps={{ opened: idx, close: () => setView({ idx: undefined }) }}
        >
          <PagedTable
            route={api.mails.search}
            filter={{ receiver: receiver || undefined, shownState: state }}
            columns={COLUMNS}
            label={t('list')}
            focused={idx}
            onFocus={(mail) => setView({ idx: mail.idx })}
            empty={isFiltered ? { title: t('emptyFiltered') } : { title: t('empty'), hint: t('emptyHint') }}
            csvName="mails"
          />
        </SplitPane>
      </PageBody>
    </Page>
  )
}
