/** A unit behind a number: 330일, 20 GB, 330 days. Korean words follow the number at once. */
export const unitSuffix = (unit: string): string => (/^[가-힣]/.test(unit) ? unit : ` ${unit}`)
