import { RequestBlock } from '@acc/contract/labels/requests'
import { expect, test } from 'vitest'
import { hours, minutes } from '../clock.ts'
import { type MailTemplate, type MailTemplates, maskEmail, renderMail } from './templates.ts'

const site = { product: 'ACC', url: 'https://acc.example.com/acc' }
const when = new Date('2026-11-21T04:03:02.001Z')
const waiting = {
  idx: 3,
  type: 0,
  requesterName: '<img src=x>',
  requesterGroupName: '"sales"',
  fileCount: 2,
  fileSize: 2048,
  isOverdue: true,
  step: 1,
  steps: 1,
  block: null,
  expiryDT: null,
} as const
const urgent = {
  ...waiting,
  urgentReason: 'The customer <b>\nwaits at the site',
  reviewDueDT: new Date('2026-11-22T04:03:02.001Z'),
}
const KIM = { name: 'Kim <i>', forName: null }
const all: MailTemplates = {
  temporaryPassword: { name: '홍길동', id: 'gildong', password: 'aB3$<&>"\'x', validHours: 24, reason: 'requested' },
  passwordChanged: { name: '홍길동', when, ip: '192.0.2.7' },
  emailChanged: { name: '홍길동', newEmail: 'new.address@example.com', when },
  secondFactorChanged: { name: '홍길동', when, change: 'reset' },
  mailServerTest: { name: '홍길동', when },
  wrongCodes: { name: '홍길동', when, ip: '192.0.2.7' },
  passwordNotReset: { name: '홍길동' },
  accountExpires: { name: '홍길동', day: '2026-12-01' },
  accountUnused: { name: '홍길동', days: 90, day: '2026-12-01' },
  otpCode: { name: '홍길동', code: '012345', validMinutes: 5 },
  exceptionsEnd: {
    name: '홍길동',
    ends: Array.from({ length: 22 }, (_, at) => ({
      kind: 1,
      what: at === 0 ? 'Lab\n<b>' : `Lab ${at}`,
      ownerName: '김하늘',
      endDT: new Date('2026-12-01T15:00:00Z'),
    })),
  },
  importStopped: {
    name: '홍길동',
    fileName: 'people <1>.csv',
    brake: { people: 400, disables: 30 },
    refusal: null,
    when,
  },
  urgentFaults: { name: '홍길동', faults: ['historyAltered', 'backupInvalid'], when },
  urgentExport: { name: '홍길동', request: urgent },
  urgentObjected: {
    name: '홍길동',
    request: { ...urgent, approverName: 'Kim <b>', approvePurpose: 'not\nurgent <i>' },
  },
  requestsWaiting: { name: '홍길동', count: 12, overdue: 1, overdueHours: 24, requests: [waiting] },
  requestsSettled: {
    name: '홍길동',
    count: 7,
    requests: [
      { idx: 5, type: 1, event: 'rejected', approverName: 'Kim <b>', reason: 'too\nmuch & <i>' },
      { idx: 6, type: 0, event: 'canceled' },
      { idx: 7, type: 1, event: 'expires', when },
      { idx: 8, type: 1, event: 'filesExpire', when },
      { idx: 10, type: 1, event: 'expiresUndecided', when },
      { idx: 11, type: 0, event: 'expired' },
      { idx: 9, type: 1, event: 'waits', step: 2, stepCount: 3, deciders: { count: 2, people: [KIM] } },
      { idx: 10, type: 1, event: 'toReview', until: when, deciders: { count: 1, people: [KIM] } },
      { idx: 11, type: 1, event: 'objected', approverName: 'Kim <b>', reason: 'too\nmuch' },
    ],
  },
}

test('a temporary password says who, what, where and how long, in both languages', () => {
  const { subject, text, html, validity } = renderMail('temporaryPassword', all.temporaryPassword, site)
  expect(subject).toBe('[ACC] 임시 비밀번호 안내 / Your temporary password')
  expect(text).toContain('홍길동님')
  expect(text).toContain('Hello 홍길동')
  expect(text).toContain(`아이디: gildong\n임시 비밀번호: aB3$<&>"'x\n접속 주소: https://acc.example.com/acc\n`)
  expect(text).toContain('24시간')
  expect(text).toContain('24 hours')
  expect(html).toContain('<b>aB3$&lt;&amp;&gt;&quot;&#39;x</b>')
  expect(html).toContain('<a href="https://acc.example.com/acc">https://acc.example.com/acc</a>')
  expect(html).toMatch(/<div lang="ko">.*홍길동님.*<\/div><hr><div lang="en">.*Hello 홍길동/)
  expect(validity).toBe(hours(24))
})

test('whether the old password is still good is said as it is', () => {
  const textOf = (reason: 'created' | 'reset' | 'requested') =>
    renderMail('temporaryPassword', { ...all.temporaryPassword, reason }, site).text
  expect(textOf('requested')).toContain('your current password remains valid')
  expect(textOf('reset')).toContain('Your previous password no longer works')
  expect(textOf('created')).not.toMatch(/remains valid|no longer works/)
})

test('the old address learns of a new one without learning it', () => {
  const { text, html } = renderMail('emailChanged', all.emailChanged, site)
  expect(text).toContain('n***@example.com')
  expect(text + html).not.toContain('new.address')
  expect(maskEmail(maskEmail('홍gildong@example.com'))).toBe('홍***@example.com')
})

test('the notices say when, in UTC, and from where', () => {
  const { text, validity } = renderMail('passwordChanged', all.passwordChanged, site)
  expect(text).toContain('When: 2026-11-21 04:03 (UTC)\nIP: 192.0.2.7')
  expect(validity).toBeUndefined()
})

test('reminders say the day, in both languages', () => {
  for (const { text } of [
    renderMail('accountExpires', all.accountExpires, site),
    renderMail('accountUnused', all.accountUnused, site),
  ]) {
    expect(text).toContain('일: 2026-12-01')
    expect(text).toContain('on: 2026-12-01'.slice(4))
    expect(text).toContain(site.url)
  }
  expect(renderMail('accountUnused', all.accountUnused, site).text).toContain('90 days')
})

test('what ends is listed in both languages, up to 20 lines', () => {
  const { text, html } = renderMail('exceptionsEnd', all.exceptionsEnd, site)
  expect(text).toContain('김하늘 · 가상 네트워크 예외 · Lab <b>: 2026-12-01 15:00 (UTC)\n')
  expect(text).toContain('김하늘 · Virtual network exception · Lab 19: 2026-12-01 15:00 (UTC)\n')
  expect(text).toContain('외 2건')
  expect(text).toContain('and 2 more')
  expect(html).toContain('Lab &lt;b&gt;')
})

test('the authenticator and the code', () => {
  const reset = renderMail('secondFactorChanged', all.secondFactorChanged, site)
  const registered = renderMail('secondFactorChanged', { ...all.secondFactorChanged, change: 'registered' }, site)
  expect(reset.subject).not.toBe(registered.subject)
  const { text, validity } = renderMail('otpCode', all.otpCode, site)
  expect(text).toContain('인증번호: 012345')
  expect(validity).toBe(minutes(5))
})

test('an approver is led to each request, in both languages, and finds how many more there are', () => {
  const { subject, text, html } = renderMail('requestsWaiting', all.requestsWaiting, site)
  expect(subject).toBe('[ACC] 승인 대기 요청 12건 / 12 requests to decide')
  expect(text).toContain(
    '#3 반입 · <img src=x> ("sales") · 파일 2개 · 2.00 KB · 장기 대기\nhttps://acc.example.com/acc/?go=imports/3\n',
  )
  expect(text).toContain('그 밖에 11건이 더 있습니다.')
  expect(text).toContain('And 11 more.')
  expect(html).toContain(
    '<a href="https://acc.example.com/acc/?go=imports/3">#3 Import · &lt;img src=x&gt; (&quot;sales&quot;)',
  )
  const one = {
    ...all.requestsWaiting,
    count: 1,
    overdue: 0,
    requests: [{ ...waiting, type: 1, isOverdue: false, block: RequestBlock.SUSPENDED }],
  } as const
  const single = renderMail('requestsWaiting', one, site)
  expect(single.subject).toBe('[ACC] 승인 대기 요청 1건 / 1 request to decide')
  expect(single.text).toContain('/acc/?go=approvals/3\n')
  expect(single.text).toContain('2.00 KB · 요청자 정지\n')
  expect(single.text).toContain('2.00 KB · requester suspended\n')
  expect(single.text).not.toMatch(/더 있습니다|more\.|overdue|hours|만료|expires/)
  const requests = [{ ...waiting, isOverdue: false, expiryDT: when }]
  const expiring = renderMail('requestsWaiting', { ...one, requests }, site)
  expect(expiring.text).toContain('2.00 KB · 2026-11-21 04:03 (UTC) 만료\n')
  expect(expiring.text).toContain('2.00 KB · expires 2026-11-21 04:03 (UTC)\n')
})

test('a requester learns what became of the requests and is led to the portal', () => {
  const { text, html } = renderMail('requestsSettled', all.requestsSettled, site)
  expect(text).toContain('#5 반출 · 반려: Kim <b> - too much & <i>\n')
  expect(text).toContain('#7 Export · to be canceled: Upload its files by 2026-11-21 04:03 (UTC)')
  expect(text).toContain(
    '#10 Export · expires soon: It will be canceled unless it is decided by 2026-11-21 04:03 (UTC)',
  )
  expect(text).toContain('#11 Import · expired: Nobody decided it in time')
  expect(text).toContain('#9 반출 · 다음 승인 단계: 승인 2/3단계 · 결정할 수 있는 사람: Kim <i> 외 1명\n')
  expect(text).toContain('#9 Export · next approval step: step 2 of 3 · Can be decided by: Kim <i> and 1 more\n')
  expect(html).toContain('Kim &lt;b&gt; - too much &amp; &lt;i&gt;')
  expect(html).toContain('<a href="https://acc.example.com/acc/">')
  expect(html).not.toContain('?go=')
})

test('nothing that a person can be called becomes markup or another line of the subject', () => {
  const name = '<img src=x onerror=alert(1)>'
  const rendered = <T extends MailTemplate>(template: T) => renderMail(template, { ...all[template], name }, site)
  for (const template of Object.keys(all) as MailTemplate[]) {
    const { subject, html } = rendered(template)
    expect(html).toContain('&lt;img')
    expect(html).not.toContain('<img')
    expect(subject).not.toMatch(/[\r\n]/)
  }
})
