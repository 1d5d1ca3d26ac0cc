// Mail that the product sends, and the choice of the evaluation outbox.
import { z } from 'zod'
import { type Columns, queryOf, shapeOf } from './core/columns.ts'
import { ByIdx, Empty, flag, idx, moment, searchText } from './core/fields.ts'
import { defineRoutes, get, list, post } from './core/route.ts'
import { MailState, ShownMailState } from './labels/mails.ts'

const state = z.literal(MailState.values)

const MAIL_COLUMNS = {
  state: { ko: '상태', en: 'State', schema: state, values: MailState.labels, isSortable: true },
  receiver: { ko: '받는 사람', en: 'To', schema: z.string(), isSortable: true, filter: searchText },
  subject: { ko: '제목', en: 'Subject', schema: z.string() },
  createDT: { ko: '작성 일시', en: 'Created', schema: moment, as: 'moment', isSortable: true },
  /** Null for a mail that waits, failed, or is in the evaluation outbox. */
  sentDT: { ko: '발송 일시', en: 'Sent', schema: moment.nullable(), as: 'moment', isSortable: true },
  /** Why the last attempt failed; null if it succeeded. */
  lastError: { ko: '오류', en: 'Error', schema: z.string().nullable() },
} satisfies Columns

export const Mail = z.object({
  idx,
  ...shapeOf(MAIL_COLUMNS),
  tries: z.int(),
  nextTryDT: moment.nullable(),
  /** 1: the mail is in the evaluation outbox, and its text can be read. */
  isInOutbox: flag,
})
export type Mail = z.output<typeof Mail>

export const mails = defineRoutes({
  /** Searches sent and waiting mail. */
  search: list('/Mails/Search', {
    input: queryOf(MAIL_COLUMNS).extend({
      state: state.optional(),
      /** What a mail is shown as: sent ones are those of a mail server. */
      shownState: z.literal(ShownMailState.values).optional(),
    }),
    item: Mail,
    columns: MAIL_COLUMNS,
    access: 'admin',
    errors: [],
    shows: ['mails'],
    assumed: true,
  }),
  /**
   * Returns one mail. `text` is null for mail sent through a mail server, whose text is not stored. Reading a text
   * leaves a row in the history, one for each session and mail.
   */
  find: get('/Mail', {
    input: ByIdx,
    data: Mail.extend({ text: z.string().nullable() }),
    access: 'admin',
    errors: [],
    shows: ['mails'],
    audit: 'settingManage',
    assumed: true,
  }),
  /** Sends failed mail once more. */
  resend: post('/Mail/Resend', {
    input: ByIdx,
    data: Empty,
    access: 'admin',
    errors: ['MAIL_FAILED'],
    changes: ['mails'],
    audit: 'settingManage',
    assumed: true,
  }),
  /** Chooses the evaluation outbox instead of a mail server, which completes the register step. */
  chooseOutbox: post('/MailServer/EvaluationOutbox', {
    input: Empty,
    data: Empty,
    access: 'admin',
    errors: [],
    changes: ['settings'],
    inExternalMode: 'mail',
    audit: 'settingManage',
    assumed: true,
  }),
})
