// Korean particles for any name, by its last sound; also for names that end in a digit, a Latin letter or a bracket.
import { josa } from 'es-hangul'
import { addFormat } from './translate.ts'

export const PARTICLES = ['을/를', '이/가', '은/는', '으로/로', '와/과'] as const
export type Particle = (typeof PARTICLES)[number]

const DIGITS = '영일이삼사오육칠팔구'
/** A syllable that ends as the letter sounds at the end of a word. */
const LETTERS: Record<string, string> = { l: '일', m: '임', n: '인', b: '입', c: '익', k: '익', p: '입', t: '잇' }

function lastSound(word: string): string {
  const last = word.match(/[\p{L}\p{N}](?=[^\p{L}\p{N}]*$)/u)?.[0] ?? ''
  if (/[0-9]/.test(last)) return DIGITS.charAt(Number(last))
  if (/[a-z]/i.test(last)) return LETTERS[last.toLowerCase()] ?? '이'
  return last
}

/** `withParticle('admin', '을/를')` is `admin을`. */
export const withParticle = (word: string, particle: Particle): string => {
  const sound = lastSound(word)
  return sound === '' ? word : word + josa(sound, particle).slice(sound.length)
}

/** Makes `{{name, 을/를}}` work in texts. The portal does not load it. */
export function allowParticlesInTexts(): void {
  for (const particle of PARTICLES) addFormat(particle, (value) => withParticle(String(value), particle))
}
