// Numbers in the person's language.
import { language } from './texts.ts'

const formats = { ko: new Intl.NumberFormat('ko'), en: new Intl.NumberFormat('en') }

export const formatNumber = (value: number): string => formats[language()].format(value)
