// The files in the requests of the sample organization: small, in simple formats, and valid.
import { createHash } from 'node:crypto'
import type { Language } from './groups.ts'
import type { Random } from './random.ts'

export type DemoFile = { name: string; bytes: Buffer }

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

type Kind = 'csv' | 'txt' | 'json' | 'svg' | 'pdf' | 'log'

const TITLES: Record<Language, Record<Kind, readonly string[]>> = {
  ko: {
    csv: ['2분기 매출 분석', '부품 단가표', '시험 결과 요약', '거래처 목록 (공유용)'],
    txt: ['회의록', '릴리스 노트', '검토 의견', '설치 안내'],
    json: ['빌드 설정', '측정값', '메뉴 번역'],
    svg: ['회로 블록도', '설비 배치도', '브라켓 단면도'],
    pdf: ['제안서 초안', '시험 성적서', '납품 확인서'],
    log: ['장비 로그', '서버 오류 로그'],
  },
  en: {
    csv: ['Q2 sales by region', 'Price list', 'Test results', 'Supplier contacts'],
    txt: ['Meeting minutes', 'Release notes', 'Review comments', 'Installation notes'],
    json: ['Build settings', 'Measurements', 'Menu translations'],
    svg: ['Block diagram', 'Floor plan', 'Bracket section'],
    pdf: ['Draft proposal', 'Test report', 'Delivery note'],
    log: ['Device log', 'Server errors'],
  },
}

const lines = (count: number, line: (at: number) => string) =>
  `${Array.from({ length: count }, (_, at) => line(at)).join('\n')}\n`

/** Returns a minimal PDF with lines of Latin text on one page. */
function pdf(text: readonly string[]): string {
  const shown = text.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join(' ')
  const content = `BT /F1 12 Tf 72 770 Td 16 TL ${shown} ET`
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

function svg(random: Random): string {
  const boxes = lines(random.int(8, 40), () => {
    const [x, y] = [random.int(0, 700), random.int(0, 500)]
    return `  <rect x="${x}" y="${y}" width="${random.int(20, 90)}" height="${random.int(15, 60)}" fill="none" stroke="#3056d3"/>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 600">\n${boxes}</svg>\n`
}

const CONTENT: Record<Kind, (random: Random) => string> = {
  csv: (random) =>
    `no,item,amount,price\n${lines(random.int(40, 1500), (at) => `${at + 1},P-${random.int(1000, 9999)},${random.int(1, 900)},${random.int(10, 99_000)}`)}`,
  txt: (random) =>
    lines(
      random.int(15, 120),
      (at) => `${at + 1}. ${random.pick(['Checked', 'To do', 'Agreed', 'Open'])}: item ${random.int(1, 400)}`,
    ),
  json: (random) =>
    `${JSON.stringify(
      Array.from({ length: random.int(10, 200) }, (_, at) => ({ id: at, value: random.int(0, 10_000) / 100 })),
      null,
      1,
    )}\n`,
  svg,
  pdf: (random) =>
    pdf([
      'Sample document',
      ...Array.from({ length: random.int(5, 30) }, (_, at) => `Item ${at + 1}: ${random.int(100, 9999)}`),
    ]),
  log: (random) =>
    lines(
      random.int(3_000, 14_000),
      (at) =>
        `${String(at).padStart(8, '0')} ${random.pick(['INFO', 'INFO', 'WARN', 'ERROR'])} unit ${random.int(1, 60)} code ${random.int(100, 999)}`,
    ),
}

const KINDS: readonly Kind[] = ['csv', 'csv', 'csv', 'txt', 'txt', 'json', 'svg', 'pdf', 'pdf', 'log']

const SMALL: readonly Kind[] = ['csv', 'csv', 'txt', 'json', 'svg', 'pdf']

const fileOf = (random: Random, language: Language, kind: Kind): DemoFile => ({
  name: `${random.pick(TITLES[language][kind])}.${kind}`,
  bytes: Buffer.from(CONTENT[kind](random)),
})

/** Returns a file of some kilobytes. */
export const drawSmallFile = (random: Random, language: Language) => {
  const file = fileOf(random, language, random.pick(SMALL))
  return { ...file, sha256: sha256(file.bytes) }
}

/** Returns files for one request, with different names. */
export function drawFiles(random: Random, language: Language): DemoFile[] {
  const kinds = random.some(KINDS, random.pick([1, 1, 1, 2, 2, 3]))
  const files = kinds.map((kind) => fileOf(random, language, kind))
  return files.filter(({ name }, at) => files.findIndex((other) => other.name === name) === at)
}
