// One mail: its delivery so far, its text if it is in the outbox, and resending.

import { api } from '@acc/contract'
import type { DataOf } from '@acc/contract/core/route'
import { formatMoment } from '@acc/contract/labels/formats'
import { mailStateLabel } from '@acc/contract/labels/mails'
import { Text } from '@mantine/core'
import { useApiAction, useApiQuery } from '../../kit/api/query.ts'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { CopyButton, CopyLink } from '../../kit/layout/CopyButton.tsx'
import { Facts, Hint, Pane, PaneFoot, Quote, Section } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { StateDot } from '../../kit/table/StatusDot.tsx'
import { useHeadings } from '../../kit/texts/labels.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import css from './MailPane.module.css'
import { canResend, linesOf, mailsTexts } from './mails.ts'

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
      isText
    >
      <Facts
        rows={[
          [heading('receiver'), mail.receiver],
          [heading('createDT'), formatMoment(mail.createDT)],
          [t('sentAt'), formatMoment(mail.sentDT)],
          ...(mail.nextTryDT === null ? [] : [[t('nextTry'), formatMoment(mail.nextTryDT)] as const]),
          [t('tries'), mail.tries],
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

export function MailPane({ idx }: { idx: number }) {
  const query = useApiQuery(api.mails.find, { idx })
  return <QueryState of={query}>{(mail) => <MailDetail mail={mail} />}</QueryState>
}
