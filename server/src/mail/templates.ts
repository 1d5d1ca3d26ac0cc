// The texts of the product's mails, in Korean and then in English, since the receiver's language is not known. As plain
// text and as HTML.
import { hours, minutes } from '../clock.ts'
import { asText, type Block, type MailText, momentText, pageOf, rows } from './blocks.ts'
import { END_TEMPLATES, type EndMails } from './endTemplates.ts'
import { FACTOR_CHANGES } from './factorChanges.ts'
import { FAULT_TEMPLATES, type FaultMails } from './faultTemplates.ts'
import { REQUEST_TEMPLATES, type RequestMails } from './requestTemplates.ts'
import { URGENT_TEMPLATES, type UrgentMails } from './urgentTemplates.ts'

/** The data of each mail, besides the site. `when` is shown in UTC. */
export type MailTemplates = {
  temporaryPassword: {
    name: string
    id: string
    password: string
    validHours: number
    /** A new account, an administrator's reset (voids the old password), or asked for (the old one works until use). */
    reason: 'created' | 'reset' | 'requested'
  }
  /** A temporary password was asked for an account that may not have one: suspended, expired, or without a password. */
  passwordNotReset: { name: string }
  passwordChanged: { name: string; when: Date; ip: string }
  /** Goes to the old address. The new one is masked here. */
  emailChanged: { name: string; newEmail: string; when: Date }
  secondFactorChanged: { name: string; when: Date; change: keyof typeof FACTOR_CHANGES }
  mailServerTest: { name: string; when: Date }
  /** Days are YYYY-MM-DD. */
  accountExpires: { name: string; day: string }
  accountUnused: { name: string; days: number; day: string }
  /** Somebody entered wrong codes of a system administrator. */
  wrongCodes: { name: string; when: Date; ip: string }
  otpCode: { name: string; code: string; validMinutes: number }
} & RequestMails &
  UrgentMails &
  EndMails &
  FaultMails
export type MailTemplate = keyof MailTemplates

/** The product's name and the address of its sign-in page. */
export type Site = { product: string; url: string }

type RenderedMail = { subject: string; text: string; html: string; validity: number | undefined }

const WHY_TEMPORARY = {
  created: {
    ko: '계정이 생성되었습니다.',
    en: 'An account was created for you.',
  },
  reset: {
    ko: '관리자가 비밀번호를 초기화했습니다. 기존 비밀번호는 더 이상 사용할 수 없습니다.',
    en: 'An administrator reset your password. Your previous password no longer works.',
  },
  requested: {
    ko: '직접 요청하지 않았다면 관리자에게 알려 주세요. 임시 비밀번호를 사용하기 전까지는 기존 비밀번호로도 로그인할 수 있습니다.',
    en: 'If you did not request it, contact your administrator. Until you use it, your current password remains valid.',
  },
}

const TEMPLATES: { [T in MailTemplate]: (params: MailTemplates[T], site: Site) => MailText } = {
  temporaryPassword: ({ name, id, password, validHours, reason }, { url }) => ({
    ko: {
      subject: '임시 비밀번호 안내',
      blocks: [
        `${name}님, 임시 비밀번호를 보내 드립니다.`,
        rows({ 아이디: id, '임시 비밀번호': password, '접속 주소': { url } }),
        `임시 비밀번호는 ${validHours}시간 동안 유효합니다. 로그인하여 새 비밀번호로 변경해 주세요.`,
        WHY_TEMPORARY[reason].ko,
      ],
    },
    en: {
      subject: 'Your temporary password',
      blocks: [
        `Hello ${name}, this is your temporary password.`,
        rows({ ID: id, 'Temporary password': password, 'Sign in at': { url } }),
        `It is valid for ${validHours} hours. Sign in and set a new password.`,
        WHY_TEMPORARY[reason].en,
      ],
    },
    validity: hours(validHours),
  }),
  passwordNotReset: ({ name }) => ({
    ko: {
      subject: '임시 비밀번호 발급 불가 안내',
      blocks: [
        `${name}님, 계정의 임시 비밀번호 요청이 있었습니다.`,
        '정지 또는 만료되었거나 비밀번호를 사용하지 않는 계정이므로 임시 비밀번호를 발급하지 않았습니다. 관리자에게 문의해 주세요.',
      ],
    },
    en: {
      subject: 'No temporary password was issued',
      blocks: [
        `Hello ${name}, a temporary password was requested for your account.`,
        'The account is suspended, has expired, or does not use a password, so none was issued. Contact your administrator.',
      ],
    },
  }),
  passwordChanged: ({ name, when, ip }) => ({
    ko: {
      subject: '비밀번호 변경 알림',
      blocks: [
        `${name}님, 계정의 비밀번호가 변경되었습니다.`,
        rows({ 일시: momentText(when), IP: ip }),
        '본인이 변경하지 않았다면 바로 관리자에게 알려 주세요.',
      ],
    },
    en: {
      subject: 'Your password was changed',
      blocks: [
        `Hello ${name}, the password of your account was changed.`,
        rows({ When: momentText(when), IP: ip }),
        'If this was not you, contact your administrator immediately.',
      ],
    },
  }),
  emailChanged: ({ name, newEmail, when }) => ({
    ko: {
      subject: '이메일 변경 알림',
      blocks: [
        `${name}님, 계정의 이메일 주소가 변경되었습니다. 앞으로 이 주소로는 메일을 보내지 않습니다.`,
        rows({ '새 이메일': maskEmail(newEmail), 일시: momentText(when) }),
        '모르는 변경이라면 바로 관리자에게 알려 주세요.',
      ],
    },
    en: {
      subject: 'Your email address was changed',
      blocks: [
        `Hello ${name}, the email address of your account was changed. No further emails will be sent to this address.`,
        rows({ 'New email': maskEmail(newEmail), When: momentText(when) }),
        'If you did not expect this, contact your administrator immediately.',
      ],
    },
  }),
  accountExpires: ({ name, day }, { url }) => ({
    ko: {
      subject: '계정 만료 예정 알림',
      blocks: [
        `${name}님, 계정의 사용 기간이 곧 만료됩니다.`,
        rows({ '계정 만료일': day, '접속 주소': { url } }),
        '계속 사용하려면 관리자에게 연장을 요청해 주세요.',
      ],
    },
    en: {
      subject: 'Your account expires soon',
      blocks: [
        `Hello ${name}, your account will expire soon.`,
        rows({ 'Account expires': day, 'Sign in at': { url } }),
        'If you still need it, ask your administrator to extend it.',
      ],
    },
  }),
  accountUnused: ({ name, days, day }, { url }) => ({
    ko: {
      subject: '장기 미사용 계정 정지 예정 알림',
      blocks: [
        `${name}님, 계정을 오랫동안 사용하지 않았습니다. ${days}일 이상 사용하지 않은 계정은 정지됩니다.`,
        rows({ '정지 예정일': day, '접속 주소': { url } }),
        '계속 사용하려면 그 전에 로그인해 주세요.',
      ],
    },
    en: {
      subject: 'Your unused account will be suspended',
      blocks: [
        `Hello ${name}, you have not used your account for a long time. Accounts unused for ${days} days or more are suspended.`,
        rows({ 'Suspended on': day, 'Sign in at': { url } }),
        'To keep it, sign in before that day.',
      ],
    },
  }),
  secondFactorChanged: ({ name, when, change }) => {
    const { ko, en } = FACTOR_CHANGES[change]
    return {
      ko: {
        subject: ko.subject,
        blocks: [
          `${name}님, ${ko.text}`,
          rows({ 일시: momentText(when) }),
          '모르는 변경이라면 바로 관리자에게 알려 주세요.',
        ],
      },
      en: {
        subject: en.subject,
        blocks: [
          `Hello ${name}, ${en.text}`,
          rows({ When: momentText(when) }),
          'If you did not expect this, contact your administrator immediately.',
        ],
      },
    }
  },
  wrongCodes: ({ name, when, ip }) => ({
    ko: {
      subject: '인증번호 오류 알림',
      blocks: [
        `${name}님, 계정에 잘못된 인증번호가 여러 번 입력되었습니다.`,
        rows({ 일시: momentText(when), IP: ip }),
        '직접 입력하지 않았다면 바로 비밀번호를 변경해 주세요. 다른 사람이 비밀번호를 알고 있을 수 있습니다.',
      ],
    },
    en: {
      subject: 'Wrong verification codes for your account',
      blocks: [
        `Hello ${name}, wrong verification codes were entered for your account several times.`,
        rows({ When: momentText(when), IP: ip }),
        'If this was not you, change your password immediately: somebody else may know it.',
      ],
    },
  }),
  mailServerTest: ({ name, when }) => ({
    ko: {
      subject: '메일 서버 테스트',
      blocks: [
        `${name}님이 설정 화면에서 보낸 테스트 메일입니다. 메일 서버가 정상적으로 동작합니다.`,
        rows({ '보낸 시각': momentText(when) }),
      ],
    },
    en: {
      subject: 'Mail server test',
      blocks: [
        `${name} sent this test email from the settings. The mail server works.`,
        rows({ Sent: momentText(when) }),
      ],
    },
  }),
  ...FAULT_TEMPLATES,
  ...REQUEST_TEMPLATES,
  ...URGENT_TEMPLATES,
  ...END_TEMPLATES,
  otpCode: ({ name, code, validMinutes }) => ({
    ko: {
      subject: '인증번호 안내',
      blocks: [
        `${name}님, 요청하신 인증번호입니다.`,
        rows({ 인증번호: code }),
        `인증번호는 ${validMinutes}분 동안 유효합니다. 다른 사람에게 알려 주지 마세요.`,
      ],
    },
    en: {
      subject: 'Your verification code',
      blocks: [
        `Hello ${name}, this is your verification code.`,
        rows({ 'Verification code': code }),
        `It is valid for ${validMinutes} minutes. Do not share it with anyone.`,
      ],
    },
    validity: minutes(validMinutes),
  }),
}

/** Writes a mail. HTML escapes the values. */
export function renderMail<T extends MailTemplate>(template: T, params: MailTemplates[T], site: Site): RenderedMail {
  const { ko, en, validity } = TEMPLATES[template](params, site)
  const footer = { ko: `${site.product} 자동 발송 메일입니다.`, en: `Sent automatically by ${site.product}.` }
  const blocks: [Block[], Block[]] = [
    [...ko.blocks, footer.ko],
    [...en.blocks, footer.en],
  ]
  return {
    subject: `[${site.product}] ${ko.subject} / ${en.subject}`,
    text: `${blocks.map((all) => all.map(asText).join('\n\n')).join('\n\n----\n\n')}\n`,
    html: pageOf(...blocks),
    validity,
  }
}

/** Returns the first letter and the domain: `g***@example.com`. */
export const maskEmail = (email: string) => email.replace(/^(.)[^@]*/u, '$1***')
