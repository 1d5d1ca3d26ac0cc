// Definition of the license menu of the settings (spec S1 §2).
import { defineMenu } from '../../kit/layout/screen.ts'

export const licensesMenu = defineMenu({
  name: 'license',
  title: { ko: '라이선스', en: 'License' },
  words: '사용권 등록 PC 기기 licenses registered devices',
  hasSave: () => true,
  load: () => import('./LicensesPanel.tsx').then((module) => module.LicensesPanel),
})
