// The files in the requests of the sample organization: small, in simple formats, and valid.
import { createHash } from 'node:crypto'
import type { Language } from './groups.ts'
import type { Random } from './past.ts'

export type DemoFile = { name: string; bytes: Buffer }

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('')

/** Returns a minimal PDF with lines of Latin text on one page. */
function pdf(text: readonly string[]): string {
  const content = `BT /F1 12 Tf 72 770 Td 16 TL ${text.map((line) => `(${line}) Tj T*`).join(' ')} ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, at) => {
    const offset = body.length
    body += `${at + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`
  return `${body}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
}

const row = ({ int }: Random, at: number) => `${at + 1},P-${int(1000, 9999)},${int(1, 900)},${int(10, 99_000)}`
const point = ({ int, pick }: Random, at: number) =>
  `${at + 1}. ${pick(['Checked', 'To do', 'Agreed', 'Open'])}: item ${int(1, 400)}`
const event = ({ int, pick }: Random, at: number) =>
  `${String(at).padStart(8, '0')} ${pick(['INFO', 'INFO', 'WARN', 'ERROR'])} unit ${int(1, 60)} code ${int(100, 999)}`

type Kind = { type: string; ko: readonly string[]; en: readonly string[]; content: (random: Random) => string }
const KINDS: readonly Kind[] = [
  {
    ...{ type: 'csv', ko: ['2분기 매출', '부품 단가표', '시험 결과'], en: ['Q2 sales', 'Price list', 'Test results'] },
    content: (random) => `no,item,amount,price\n${lines(random.int(40, 1500), (at) => row(random, at))}`,
  },
  {
    ...{ type: 'txt', ko: ['회의록', '릴리스 노트', '검토 의견'], en: ['Meeting minutes', 'Release notes'] },
    content: (random) => lines(random.int(15, 120), (at) => point(random, at)),
  },
  {
    ...{ type: 'pdf', ko: ['제안서 초안', '시험 성적서', '납품 확인서'], en: ['Draft proposal', 'Test report'] },
    content: ({ int }) => pdf(Array.from({ length: int(5, 30) }, (_, at) => `Item ${at + 1}: ${int(100, 9999)}`)),
  },
  {
    ...{ type: 'log', ko: ['장비 로그', '서버 오류 로그'], en: ['Device log', 'Server errors'] },
    content: (random) => lines(random.int(2_000, 6_000), (at) => event(random, at)),
  },
]

/** Returns one to three files of different kinds. */
export const drawFiles = (random: Random, language: Language): DemoFile[] =>
  random.some(KINDS, random.pick([1, 1, 1, 2, 2, 3])).map((kind) => ({
    name: `${random.pick(kind[language])}.${kind.type}`,
    bytes: Buffer.from(kind.content(random)),
  }))
