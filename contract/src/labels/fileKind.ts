// Kinds of files by their content, for the preview of a request's files.
import { enumOf, type ValueOf } from './enumOf.ts'

export const FileKind = enumOf({
  OTHER: { value: 0, ko: '알 수 없는 형식', en: 'unknown format' },
  TEXT: { value: 1, ko: '텍스트', en: 'text' },
  PDF: { value: 2, ko: 'PDF', en: 'PDF' },
  PNG: { value: 3, ko: 'PNG', en: 'PNG' },
  JPEG: { value: 4, ko: 'JPEG', en: 'JPEG' },
  GIF: { value: 5, ko: 'GIF', en: 'GIF' },
  WEBP: { value: 6, ko: 'WebP', en: 'WebP' },
  ZIP: { value: 7, ko: 'ZIP 압축 파일', en: 'ZIP archive' },
  /** A zip inside: Office from 2007 on, HWPX, OpenDocument. */
  OFFICE: { value: 8, ko: '오피스 문서', en: 'Office document' },
  /** Compound files: Office until 2003, HWP, MSG. */
  OLD_OFFICE: { value: 9, ko: '오피스·한글 문서', en: 'Office or HWP document' },
  PROGRAM: { value: 10, ko: '실행 파일', en: 'program' },
})
export type FileKind = ValueOf<typeof FileKind>
