// When a person is notified next: at full hours, each morning, or at once with growing pauses.
import { DAILY_HOUR, NoticeChoice } from '@acc/contract/notices'
import { dayOf, hours, later, minutes } from '../../clock.ts'

/** What comes within this time of a mail waits for the next one. */
const PAUSE = minutes(10)
/** Mails of one day after which the pauses are an hour. */
const MANY = 12

/** Returns the earliest moment of the mail after one that is sent now. */
export const afterMail = (now: Date, mailsToday: number): Date => later(now, mailsToday < MANY ? PAUSE : hours(1))

const HOUR = hours(1)
const DAY = hours(24)

/** Milliseconds since midnight by the clocks of a time zone. */
function timeOfDay(moment: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]))
  const { hour = 0, minute = 0, second = 0 } = parts
  return ((hour * 60 + minute) * 60 + second) * 1000 + moment.getMilliseconds()
}

function nextMorning(now: Date, timeZone: string): Date {
  const ahead = hours(DAILY_HOUR) - timeOfDay(now, timeZone)
  const next = later(now, ahead > 0 ? ahead : ahead + DAY)
  // The clocks may be changed in the night between.
  return later(next, hours(DAILY_HOUR) - timeOfDay(next, timeZone))
}

/** Returns when an approver is considered next: now, at the next full hour, or next morning in their time zone. */
export function nextConsidered(choice: NoticeChoice, now: Date, timeZone: string): Date {
  if (choice === NoticeChoice.HOURLY) return new Date(Math.floor(now.getTime() / HOUR) * HOUR + HOUR)
  return choice === NoticeChoice.DAILY ? nextMorning(now, timeZone) : now
}

/** The same for a choice made now. A mail at once still waits for the pause after the mails of the day. */
export function nextAfterChoice(
  choice: NoticeChoice,
  { mailDay, mailCount }: { mailDay: string | null; mailCount: number },
  now: Date,
  timeZone: string,
): Date {
  const isPaused = choice === NoticeChoice.AT_ONCE && mailDay === dayOf(now)
  return isPaused ? afterMail(now, mailCount) : nextConsidered(choice, now, timeZone)
}
