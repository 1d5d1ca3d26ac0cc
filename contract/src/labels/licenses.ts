// What a license counts.
import { enumOf, type ValueOf } from './enumOf.ts'

export const CountType = enumOf({
  DEVICES: { value: 0, ko: '등록 PC', en: 'Registered PCs' },
})
export type CountType = ValueOf<typeof CountType>
