// Sent mail: the list, and next to it the selected mail with its delivery, its text if it is in the outbox, and
// resending.
import { api } from '@acc/contract'
import type { DataOf } from '@acc/contract/core/route'
import { formatMoment } from '@acc/contract/labels/formats'
import { mailStateLabel, ShownMailState } from '@acc/contract/labels/mails'
import { Box, Text } from '@mantine/core'
import { z } from 'zod'
import { useApiAction, useApiQuery } from '../../kit/api/query.ts'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { CopyButton, CopyLink } from '../../kit/layout/CopyButton.tsx'
import { Facts, Hint, Page, PageBody, Pane, PaneFoot, Quote, Section } from '../../kit/layout/Page.tsx'
import { Empty, QueryState } from '../../kit/layout/QueryState.tsx'
import { SplitPane } from '../../kit/layout/SplitPane.tsx'
import { useView } from '../../kit/layout/view.ts'
import { FilterBar, SearchBox, SelectFilter } from '../../kit/table/FilterBar.tsx'
import { type Column, PagedTable } from '../../kit/table/PagedTable.tsx'
import { StateDot } from '../../kit/table/StatusDot.tsx'
import { useHeadings, useOptions } from '../../kit/texts/labels.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { canResend, linesOf, mailsTexts } from './mails.ts'
import css from './SentMails.module.css'

/** The text of a mail; a password, an ID or an address in it is copied by a button. */
function MailText({ text }: { text: string }) {
  const t = useTexts(mailsTexts)
  return (
    <Quote>
      {linesOf(text, useLanguage()).map(({ key, line, named }) => (
        <div key={key} className={css.line}>
          {line}
          {named && <CopyButton value={named.value} label={t('copyNamed', { name: named.name })} />}
        </div>
      ))}
    </Quote>
  )
}

function MailDetail({ mail }: { mail: DataOf<typeof api.mails.find> }) {
  const t = useTexts(mailsTexts)
  const heading = useHeadings(api.mails.search)
  const resend = useApiAction(api.mails.resend, { done: t('resent') })
  const foot = canResend(mail) && (
    <PaneFoot>
      <ReasonedButton onClick={() => void resend.run({ idx: mail.idx })} isBusy={resend.isRunning}>
        {t('resend')}
      </ReasonedButton>
    </PaneFoot>
  )
  return (
    <Pane
      title={mail.subject}
      aside={
        <>
          <CopyLink idx={mail.idx} place="mails" />
          <StateDot label={mailStateLabel(mail)} />
        </>
      }
      foot={foot}
      label={mail.subject}
    >
      <Facts
        rows={[
          [heading('receiver'), mail.receiver],
          [heading('createDT'), formatMoment(mail.createDT)],
          mail.sentDT !== null && [t('sentAt'), formatMoment(mail.sentDT)],
          mail.nextTryDT !== null && [t('nextTry'), formatMoment(mail.nextTryDT)],
          mail.isInOutbox === 0 && [t('tries'), mail.tries],
        ]}
      />
      {mail.lastError !== null && (
        <Section title={t('lastError')}>
          <Text size="sm" c="var(--bad)" style={{ overflowWrap: 'anywhere' }}>
            {mail.lastError}
          </Text>
        </Section>
      )}
      <Section title={t('text')}>
        {mail.text === null ? <Hint>{t('notKept')}</Hint> : <MailText text={mail.text} />}
      </Section>
    </Pane>
  )
}

function MailPane({ idx }: { idx: number }) {
  const query = useApiQuery(api.mails.find, { idx })
  return <QueryState of={query}>{(mail) => <MailDetail mail={mail} />}</QueryState>
}

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

export function SentMails() {
  const t = useTexts(mailsTexts)
  const heading = useHeadings(api.mails.search)
  const states = useOptions(ShownMailState)
  const [{ idx, receiver, state }, setView] = useView(View)
  const isFiltered = receiver !== '' || state !== undefined
  const clear = () => setView({ receiver: '', state: undefined }, { replace: true })
  return (
    <Page>
      <Box pt={10}>
        <FilterBar>
          <SearchBox
            label={t('search')}
            value={receiver}
            onChange={(text) => setView({ receiver: text }, { replace: true })}
          />
          <SelectFilter
            label={heading('state')}
            value={state}
            options={states}
            onChange={(chosen) => setView({ state: chosen }, { replace: true })}
          />
        </FilterBar>
      </Box>
      <PageBody>
        <SplitPane
          name="mails.detail"
          label={t('chosen')}
          at="end"
          width={320}
          side={
            idx === undefined ? <Empty title={t('choose')} hint={t('chooseHint')} /> : <MailPane key={idx} idx={idx} />
          }
          steps={{ opened: idx, close: () => setView({ idx: undefined }) }}
        >
          <PagedTable
            route={api.mails.search}
            filter={{ receiver: receiver || undefined, shownState: state }}
            columns={COLUMNS}
            label={t('list')}
            focused={idx}
            onFocus={(mail) => setView({ idx: mail.idx })}
            empty={
              isFiltered ? { title: t('emptyFiltered'), onClear: clear } : { title: t('empty'), hint: t('emptyHint') }
            }
            csvName="mails"
          />
        </SplitPane>
      </PageBody>
    </Page>
  )
}
