// How well a name matches the text typed into Ctrl K: exact, at its beginning, at the beginning of a word, anywhere.
// Korean names are also found by their initial consonants, and while their last syllable is still being typed.

const INITIALS = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ'
const VOWELS = 'ㅏ ㅐ ㅑ ㅒ ㅓ ㅔ ㅕ ㅖ ㅗ ㅗㅏ ㅗㅐ ㅗㅣ ㅛ ㅜ ㅜㅓ ㅜㅔ ㅜㅣ ㅠ ㅡ ㅡㅣ ㅣ'.split(' ')
const FINALS =
  ' ㄱ ㄲ ㄱㅅ ㄴ ㄴㅈ ㄴㅎ ㄷ ㄹ ㄹㄱ ㄹㅁ ㄹㅂ ㄹㅅ ㄹㅌ ㄹㅍ ㄹㅎ ㅁ ㅂ ㅂㅅ ㅅ ㅆ ㅇ ㅈ ㅊ ㅋ ㅌ ㅍ ㅎ'.split(' ')
/** Two consonants that are typed one after the other become one character. */
const PAIRS: Readonly<Record<string, string>> = {
  ㄳ: 'ㄱㅅ',
  ㄵ: 'ㄴㅈ',
  ㄶ: 'ㄴㅎ',
  ㄺ: 'ㄹㄱ',
  ㄻ: 'ㄹㅁ',
  ㄼ: 'ㄹㅂ',
  ㄽ: 'ㄹㅅ',
  ㄾ: 'ㄹㅌ',
  ㄿ: 'ㄹㅍ',
  ㅀ: 'ㄹㅎ',
  ㅄ: 'ㅂㅅ',
}
const FIRST_SYLLABLE = 0xac00
const SYLLABLE = /[가-힣]/g

const numberOf = (syllable: string) => syllable.charCodeAt(0) - FIRST_SYLLABLE
const initialOf = (syllable: string) => INITIALS.charAt(Math.floor(numberOf(syllable) / 588))
const lettersOf = (syllable: string) => {
  const rest = numberOf(syllable) % 588
  return initialOf(syllable) + VOWELS[Math.floor(rest / 28)] + FINALS[rest % 28]
}

/** Lower case; everything between words is one space. */
const normalize = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s()[\]·\-_.@/›#]+/g, ' ')
    .trim()
const split = (text: string) => text.replace(/[ㄳ-ㅄ]/g, (pair) => PAIRS[pair] ?? pair)
const spell = (text: string) => split(text).replace(SYLLABLE, lettersOf)
const initialsIn = (text: string) => text.replace(SYLLABLE, initialOf).replaceAll(' ', '')

/** Returns the rank of a name, 0 for the best one; undefined if it does not match. */
export function rankOf(name: string, typed: string): number | undefined {
  const [text, search] = [normalize(name), normalize(typed)]
  if (search === '') return undefined
  if (/^[ㄱ-ㅎ ]+$/.test(search)) {
    const [initials, wanted] = [initialsIn(text), split(search).replaceAll(' ', '')]
    if (initials.startsWith(wanted)) return 1
    return initials.includes(wanted) ? 3 : undefined
  }
  if (text === search) return 0
  if (text.startsWith(search)) return 1
  if (text.includes(` ${search}`)) return 2
  if (text.includes(search)) return 3
  const isUnfinished = /[가-힣ㄱ-ㅎㅏ-ㅣ]$/.test(search)
  return isUnfinished && spell(text).includes(spell(search)) ? 4 : undefined
}

/** Another word for a name counts less than any part of the name. */
const OTHER_WORD = 5

/** Returns the best rank of several names, and of the beginnings of other words for them. */
export function bestRank(names: readonly string[], words: string, typed: string): number | undefined {
  const ranks = names.flatMap((name) => rankOf(name, typed) ?? [])
  if (ranks.length > 0) return Math.min(...ranks)
  return (rankOf(words, typed) ?? OTHER_WORD) <= 2 ? OTHER_WORD : undefined
}
