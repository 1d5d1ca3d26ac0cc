import { expect, test } from 'vitest'
import { linesOf } from './mailText.ts'

const namedIn = (text: string) => linesOf(text).flatMap(({ named }) => named ?? [])

test('a line that names one word is offered for copying, anything else is only shown', () => {
  const text =
    '안내\n\n아이디: hong\n임시 비밀번호: x7:Kd-92\n#537 반출: 승인: 김 과장\n#535 반출 · 승인: 정하은\nhttps://acc.example.com/acc\n사유: 두 단어\n'
  expect(namedIn(text)).toEqual([
    { name: '아이디', value: 'hong' },
    { name: '임시 비밀번호', value: 'x7:Kd-92' },
  ])
  expect(linesOf(text).map(({ line }) => line)).toEqual(text.trimEnd().split('\n'))
})
