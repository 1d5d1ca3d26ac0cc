// Numbers in the person's language.
import { language } from './texts.ts'

/** A unit behind a number: 330일, 20 GB, 330 days. Korean words follow the number at once. */
export const unitSuffix = (unit: string): string => (/^[가-힣]/.test(unit) ? unit : ` ${unit}`)

const formats = { ko: new Intl.NumberFormat('ko'), en: new Intl.NumberFormat('en') }

export const formatNumber = (value: number): string => formats[language()].format(value)
