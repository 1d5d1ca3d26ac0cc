import { expect, test } from 'vitest'
import { jobLabel, scheduleLabel } from './jobs.ts'

test('a job has words, and one that is not known has none', () => {
  expect(jobLabel('sealHistory')).toEqual({ ko: '이력 봉인', en: 'Seal the history' })
  expect(jobLabel('statusTest')).toBeUndefined()
})

test('a schedule is put in words, and one of another form is left as it is', () => {
  const english = ['* * * * *', '*/5 * * * *', '6 * * * *', '7 0 * * *', '0 3 * * 1'].map(
    (cron) => scheduleLabel(cron).en,
  )
  expect(english).toEqual(['Every minute', 'Every 5 minutes', 'Every hour at :06', 'Every day at 00:07', '0 3 * * 1'])
  expect(scheduleLabel('51 4 * * *').ko).toBe('매일 04:51')
})
