// Mail that the product sends, and the choice of the evaluation outbox.
import { z } from 'zod'
import { ByIdx, Empty, flag, idx, moment, searchText } from './core/fields.ts'
import { paging } from './core/paging.ts'
import { defineRoutes, get, list, post } from './core/route.ts'
import { MailState, ShownMailState } from './labels/mails.ts'

const state = z.literal(MailState.values)

export const Mail = z.object({
  idx,
  receiver: z.string(),
  subject: z.string(),
  state,
  tries: z.int(),
  createDT: moment,
  sentDT: moment.nullable(),
  nextTryDT: moment.nullable(),
  /** Why the last attempt failed; null if it succeeded. */
  lastError: z.string().nullable(),
  /** 1: the mail is in the evaluation outbox, and its text can be read. */
  isInOutbox: flag,
})
export type Mail = z.output<typeof Mail>

export const mails = defineRoutes({
  /** Searches sent and waiting mail. */
  search: list('/Mails/Search', {
    input: paging(['idx', 'receiver', 'state', 'createDT', 'sentDT']).extend({
      receiver: searchText.optional(),
      state: state.optional(),
      /** What a mail is shown as: sent ones are those of a mail server. */
      shownState: z.literal(ShownMailState.values).optional(),
    }),
    item: Mail,
    columns: {
      state: { ko: '상태', en: 'State', values: MailState.labels },
      receiver: { ko: '받는 사람', en: 'To' },
      subject: { ko: '제목', en: 'Subject' },
      createDT: { ko: '작성 일시', en: 'Created', as: 'moment' },
      sentDT: { ko: '발송 일시', en: 'Sent', as: 'moment' },
      lastError: { ko: '오류', en: 'Error' },
    },
    access: 'admin',
    errors: [],
    shows: ['mails'],
    assumed: true,
  }),
  /**
   * Returns one mail. `text` is null for mail sent through a mail server, whose text is not stored. Reading a text leaves a row in
   * the history, one for each session and mail.
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
