// Words of the mail about a changed second factor.

/** Changes of an authenticator, and of the OTP setting of a person. */
export const FACTOR_CHANGES = {
  registered: {
    ko: { subject: 'OTP 등록 알림', text: '계정에 인증 앱이 등록되었습니다.' },
    en: {
      subject: 'An authenticator app was registered',
      text: 'an authenticator app was registered for your account.',
    },
  },
  reset: {
    ko: { subject: 'OTP 초기화 알림', text: '계정의 OTP가 초기화되었습니다.' },
    en: { subject: 'Your OTP was reset', text: 'the OTP of your account was reset.' },
  },
  always: {
    ko: { subject: 'OTP 사용 변경 알림', text: '이제 로그인할 때 항상 OTP를 사용합니다.' },
    en: { subject: 'OTP is now required', text: 'signing in to your account now always requires an OTP.' },
  },
  never: {
    ko: { subject: 'OTP 사용 변경 알림', text: '이제 로그인할 때 OTP를 사용하지 않습니다.' },
    en: { subject: 'OTP is no longer required', text: 'signing in to your account no longer requires an OTP.' },
  },
  policy: {
    ko: { subject: 'OTP 사용 변경 알림', text: '이제 OTP 사용 여부는 로그인 정책을 따릅니다.' },
    en: {
      subject: 'Your OTP setting was changed',
      text: 'the OTP of your account now follows the login policy.',
    },
  },
} as const
