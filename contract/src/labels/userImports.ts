// Enumerations of imports of people (docs/decisions/29-user-imports.md). Free of zod.
import { enumOf, type ValueOf } from './enumOf.ts'

/** Where the rows of a run come from. */
export const ImportSource = enumOf({
  FILE: { value: 0, ko: '업로드한 파일', en: 'Uploaded file' },
  FOLDER: { value: 1, ko: '폴더', en: 'Folder' },
  DIRECTORY: { value: 2, ko: '디렉터리', en: 'Directory' },
})
export type ImportSource = ValueOf<typeof ImportSource>

export const ImportState = enumOf({
  PLANNING: { value: 0, ko: '계획 작성 중', en: 'Planning', tone: 'accent' },
  /** A person applies the plan or cancels it. */
  PLANNED: { value: 1, ko: '확인 대기', en: 'To confirm', tone: 'warn' },
  APPLYING: { value: 2, ko: '적용 중', en: 'Applying', tone: 'accent' },
  PAUSED: { value: 3, ko: '일시 중지', en: 'Paused', tone: 'warn' },
  DONE: { value: 4, ko: '완료', en: 'Done', tone: 'ok' },
  /** Before the plan was applied, or after a part of it. */
  CANCELED: { value: 5, ko: '취소', en: 'Canceled', tone: 'quiet' },
  /** The source was refused as a whole: `refusal` has the reason. */
  REFUSED: { value: 6, ko: '거부', en: 'Refused', tone: 'bad' },
})
export type ImportState = ValueOf<typeof ImportState>

/** What a plan does with a person. Of several changes of one person the highest number names the row. */
export const ImportAction = enumOf({
  UNCHANGED: { value: 0, ko: '변경 없음', en: 'Unchanged', tone: 'quiet' },
  CREATE: { value: 1, ko: '생성', en: 'New', tone: 'ok' },
  UPDATE: { value: 2, ko: '수정', en: 'Changed', tone: 'accent' },
  MOVE: { value: 3, ko: '이동', en: 'Moved', tone: 'accent' },
  ENABLE: { value: 4, ko: '정지 해제', en: 'Reactivated', tone: 'ok' },
  DISABLE: { value: 5, ko: '정지', en: 'Suspended', tone: 'warn' },
  ERROR: { value: 6, ko: '오류', en: 'Error', tone: 'bad' },
})
export type ImportAction = ValueOf<typeof ImportAction>

export const ImportResult = enumOf({
  WAITING: { value: 0, ko: '대기', en: 'Waiting', tone: 'quiet' },
  APPLIED: { value: 1, ko: '적용', en: 'Applied', tone: 'ok' },
  /** The person changed after the plan was made. */
  SKIPPED: { value: 2, ko: '건너뜀', en: 'Skipped', tone: 'warn' },
  FAILED: { value: 3, ko: '실패', en: 'Failed', tone: 'bad' },
})
export type ImportResult = ValueOf<typeof ImportResult>

/** What is wrong with a cell or a row. */
export const ImportFault = enumOf({
  MISSING: { value: 0, ko: '값이 없습니다.', en: 'A value is missing.' },
  FORMAT: { value: 1, ko: '형식에 맞지 않습니다.', en: 'The format is wrong.' },
  /** `hint`: the most similar path. */
  NO_GROUP: { value: 2, ko: '그룹이 없습니다.', en: 'There is no such group.' },
  /** `hint`: the line of the other row. */
  REPEATED: { value: 3, ko: '파일에 같은 값이 더 있습니다.', en: 'Another row has the same value.' },
  TAKEN: { value: 4, ko: '다른 사용자가 사용 중인 값입니다.', en: 'Another user has this value.' },
  /** The user was created by hand or by another source. */
  OTHER_SOURCE: {
    value: 5,
    ko: '이 원본에서 관리하지 않는 사용자입니다.',
    en: 'This source does not manage the user.',
  },
  ADMIN: { value: 6, ko: '시스템 관리자는 변경할 수 없습니다.', en: 'System administrators cannot be changed.' },
  NOT_ALLOWED: { value: 7, ko: '변경할 권한이 없습니다.', en: 'You may not change this.' },
  SELF: { value: 8, ko: '자신의 계정은 변경할 수 없습니다.', en: 'You cannot change your own account.' },
  EXPIRY: { value: 9, ko: '허용되지 않는 만료일입니다.', en: 'This last day is not allowed.' },
  /** `-` in a column that always has a value. */
  NOT_CLEARABLE: { value: 10, ko: '비울 수 없는 값입니다.', en: 'This value cannot be cleared.' },
  /** More cells than columns, or fewer. */
  CELLS: { value: 11, ko: '칸 수가 머리글과 다릅니다.', en: 'The row does not have as many cells as the header.' },
  /** No error: the source would release the account, and a person suspended it. */
  SUSPENDED: {
    value: 12,
    ko: '관리자가 정지한 사용자이므로 정지 상태를 유지합니다.',
    en: 'A person suspended the user, who stays suspended.',
  },
})
export type ImportFault = ValueOf<typeof ImportFault>

/** Why a source is refused as a whole. Nothing of it is applied. */
export const ImportRefusal = enumOf({
  EMPTY: { value: 0, ko: '사용자가 한 명도 없습니다.', en: 'It contains nobody.' },
  /** `text`: the header; `hint`: the most similar known one. */
  UNKNOWN_COLUMN: { value: 1, ko: '알 수 없는 머리글입니다.', en: 'A column is unknown.' },
  MISSING_COLUMN: { value: 2, ko: '필요한 열이 없습니다.', en: 'A required column is missing.' },
  REPEATED_COLUMN: { value: 3, ko: '같은 열이 두 번 있습니다.', en: 'A column occurs twice.' },
  /** Keys are set by system administrators alone. */
  ADMIN_COLUMN: {
    value: 4,
    ko: '시스템 관리자만 사용할 수 있는 열입니다.',
    en: 'Only system administrators use this column.',
  },
  ENCODING: {
    value: 5,
    ko: '문자 인코딩을 알 수 없습니다. UTF-8로 저장해 주세요.',
    en: 'The encoding is unknown. Save it as UTF-8.',
  },
  /** `line`: where a quoted field begins that does not end. */
  BROKEN: { value: 6, ko: '파일이 중간에 끊겼거나 CSV 형식이 아닙니다.', en: 'The file is cut off or no CSV.' },
  TOO_MANY_ROWS: { value: 7, ko: '행이 너무 많습니다.', en: 'It has too many rows.' },
  UNREACHABLE: { value: 8, ko: '디렉터리에 연결할 수 없습니다.', en: 'The directory cannot be reached.' },
  SIGN_IN: { value: 9, ko: '디렉터리가 계정을 거부했습니다.', en: 'The directory refused the account.' },
  NO_BASE: {
    value: 10,
    ko: '검색 기준이 디렉터리에 없거나 읽을 권한이 없습니다.',
    en: 'The search base does not exist or cannot be read.',
  },
  SEARCH: { value: 11, ko: '디렉터리가 검색을 거부했습니다.', en: 'The directory refused the search.' },
  /** The certificate of the directory is not trusted. `text`: the reason. */
  CERTIFICATE: {
    value: 12,
    ko: '디렉터리의 인증서를 신뢰할 수 없습니다.',
    en: 'The certificate of the directory is not trusted.',
  },
  FOLDER: { value: 13, ko: '폴더를 읽을 수 없습니다.', en: 'The folder cannot be read.' },
  NO_FILE: { value: 14, ko: '폴더에 CSV 파일이 없습니다.', en: 'The folder has no CSV file.' },
  UNFINISHED: { value: 15, ko: '파일이 아직 기록되는 중입니다.', en: 'The file is still being written.' },
  TOO_LARGE: { value: 16, ko: '파일이 너무 큽니다.', en: 'The file is too large.' },
})
export type ImportRefusal = ValueOf<typeof ImportRefusal>

type Words = { readonly ko: string; readonly en: string; readonly aliases: readonly string[] }
/** The columns of a file, by their fields. Headers are compared without case and spaces. */
export const IMPORT_FIELDS = {
  key: { ko: '키', en: 'Key', aliases: ['사번', '사용자 키', 'employee number', 'user key'] },
  id: { ko: '아이디', en: 'ID', aliases: ['user id', 'login'] },
  name: { ko: '이름', en: 'Name', aliases: ['성명'] },
  email: { ko: '이메일', en: 'Email', aliases: ['e-mail', '메일'] },
  group: { ko: '그룹', en: 'Group', aliases: ['부서', 'department'] },
  expireDT: { ko: '만료일', en: 'Expires', aliases: ['expiry'] },
  isEnabled: { ko: '사용', en: 'Enabled', aliases: ['재직', 'active'] },
} as const satisfies Record<string, Words>
export type ImportField = keyof typeof IMPORT_FIELDS
export const IMPORT_FIELD_NAMES = Object.keys(IMPORT_FIELDS) as ImportField[]

/** What keeps accounts up to date without uploads. At most one source is active. */
export const SyncKind = enumOf({
  NONE: { value: 0, ko: '사용 안 함', en: 'None' },
  DIRECTORY: { value: 1, ko: 'LDAP 또는 Active Directory', en: 'LDAP or Active Directory' },
  FOLDER: { value: 2, ko: '폴더의 CSV 파일', en: 'CSV file in a folder' },
})
export type SyncKind = ValueOf<typeof SyncKind>

export const DirectoryEncryption = enumOf({
  LDAPS: { value: 1, ko: 'LDAPS', en: 'LDAPS' },
  STARTTLS: { value: 2, ko: 'StartTLS', en: 'StartTLS' },
})
export type DirectoryEncryption = ValueOf<typeof DirectoryEncryption>

/** How a directory names the group of a person. */
export const GroupBy = enumOf({
  /** Everybody belongs to the group of the setting. */
  FIXED: { value: 0, ko: '지정한 그룹', en: 'One group' },
  /** The organizational units between the search base and the person. */
  UNITS: { value: 1, ko: '조직 단위(OU) 경로', en: 'Organizational units' },
  /** A path or key in the attribute of the mapping. */
  ATTRIBUTE: { value: 2, ko: '속성', en: 'Attribute' },
})
export type GroupBy = ValueOf<typeof GroupBy>
