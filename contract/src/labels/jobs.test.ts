import { expect, test } from 'vitest'
import { jobLabel, scheduleLabel } from './jobs.ts'

test('a job has words, and one that is not known has none', () => {
  expect(jobLabel('sealHistory')).toEqual({ ko: '이력 봉인', en: 'Seal the history' })
  expect(jobLabel('statusTest')).toBeUndefined()
})

test('a schedule is put in words, and one of another form is left as it is', () => {
  const english = ['* * * * *', '*/5 * * * *', '6 * * * *', '7 0 * * *', '0 3 * * 1'].map(
    (cron) => scheduleLabel(cron, 0).en,
  )
  expect(english).toEqual(['Every minute', 'Every 5 minutes', 'Every hour at :06', 'Every day at 00:07', '0 3 * * 1'])
  expect(scheduleLabel('51 4 * * *', 0).ko).toBe('매일 04:51')
})

test('a schedule is in the time of its reader, also across midnight and in zones of half hours', () => {
  expect(scheduleLabel('51 4 * * *', 9 * 60).ko).toBe('매일 13:51')
  expect(scheduleLabel('51 4 * * *', -5 * 60).en).toBe('Every day at 23:51')
  expect(scheduleLabel('40 * * * *', 5 * 60 + 30).en).toBe('Every hour at :10')
})
