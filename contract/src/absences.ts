// Absences of approvers: for some days a substitute also decides what the absent person may decide. An addition to the
// specification (S2 §2.3).
import { z } from 'zod'
import { anyPage } from './core/access.ts'
import { ByIdx, day, Empty, flag, idx, line, moment, searchText } from './core/fields.ts'
import { isBlank } from './core/hidden.ts'
import { defineRoutes, del, get, post } from './core/route.ts'
import { Level } from './labels/access.ts'

export const MAX_ABSENCE_DAYS = 60
/** Days from today in which an absence begins at the latest. */
export const MAX_DAYS_AHEAD = 365
/** People that one search for a substitute returns. */
export const MAX_SUBSTITUTES = 20
const MAX_REASON = 200

const DAY = 86_400_000
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY

/** Returns whether an absence may last from one day to another, both inclusive. Days are YYYY-MM-DD. */
export const isAbsencePeriod = (startDay: string, endDay: string, today: string): boolean =>
  startDay >= today &&
  daysBetween(today, startDay) <= MAX_DAYS_AHEAD &&
  endDay >= startDay &&
  daysBetween(startDay, endDay) < MAX_ABSENCE_DAYS

const Substitute = z.object({ idx, id: z.string(), name: z.string(), groupName: z.string() })
export type Substitute = z.output<typeof Substitute>

export const Absence = z.object({
  idx,
  substituteId: z.string(),
  substituteName: z.string(),
  startDT: moment,
  /** Exclusive. */
  endDT: moment,
  reason: z.string(),
  /** 0: the substitute has lost a right that the absent person has, and decides nothing for them. */
  isEffective: flag,
})
export type Absence = z.output<typeof Absence>

const approver = anyPage(['fileExportApprove', 'fileImportApprove'], Level.EDIT)
/** Omitted for oneself. Only system administrators name somebody else. */
const userIdx = idx.optional()

export const absences = defineRoutes({
  /** Returns the current and future absences of a person, and the absent people whose substitute they are now. */
  find: get('/Absences', {
    input: z.object({ userIdx }),
    data: z.object({
      /** 0: the person decides no requests, so nobody needs to do it for them. */
      isApprover: flag,
      absences: z.array(Absence),
      substitutions: z.array(z.object({ name: z.string(), groupName: z.string(), endDT: moment })),
    }),
    access: approver,
    errors: [],
    shows: ['authorities', 'users', 'groups', 'session'],
    assumed: true,
  }),
  /** Returns the first people, by name, who may be the substitute. */
  searchSubstitutes: get('/Absence/Substitutes', {
    input: z.object({ userIdx, text: searchText.default('') }),
    data: z.object({ items: z.array(Substitute).max(MAX_SUBSTITUTES) }),
    access: approver,
    errors: [],
    shows: ['authorities', 'users', 'groups'],
    assumed: true,
  }),
  /** Sets an absence. The days are those of the caller's time zone. */
  create: post('/Absence', {
    input: z.object({
      userIdx,
      substituteIdx: idx,
      startDay: day,
      /** Inclusive. */
      endDay: day,
      reason: line(MAX_REASON)
        .min(1)
        .refine((text) => !isBlank(text), 'blank'),
    }),
    data: ByIdx,
    access: approver,
    errors: ['ABSENCE_PERIOD', 'ABSENCE_OVERLAP', 'SUBSTITUTE_REFUSED', 'SUBSTITUTION_CIRCLE'],
    changes: ['authorities', 'session', 'requests'],
    audit: 'userManage',
    assumed: true,
  }),
  /** Ends an absence of one's own, or cancels a future one; administrators also those of others. */
  end: del('/Absence', {
    input: ByIdx,
    data: Empty,
    access: approver,
    errors: [],
    changes: ['authorities', 'session', 'requests'],
    audit: 'userManage',
    assumed: true,
  }),
})
