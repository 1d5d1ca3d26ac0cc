// A file name on one line. A long name is shortened in the middle, so that its extension stays visible. It keeps its
// runs of blanks, which could otherwise hide an extension. It is copied and read aloud exactly: assistive technology
// would read the two parts of the text with a space between them.
import css from './FileName.module.css'

/** Bounds of the visible end: the extension and a few characters before it. */
const MIN_TAIL = 10
const MAX_TAIL = 14

const signs = new Intl.Segmenter('ko', { granularity: 'grapheme' })

/** Splits a name into a part that may be cut and a complete part: `['연간 사업 계획 최', '종본 v2.hwpx']`. */
export function splitFileName(name: string): [head: string, tail: string] {
  const all = Array.from(signs.segment(name), ({ segment }) => segment)
  const dot = all.lastIndexOf('.')
  const ending = dot < 0 ? 0 : all.length - dot
  const at = Math.max(0, all.length - Math.min(MAX_TAIL, Math.max(MIN_TAIL, ending + 2)))
  return [all.slice(0, at).join(''), all.slice(at).join('')]
}

export function FileName({ name }: { name: string }) {
  const [head, tail] = splitFileName(name)
  if (head === '')
    return (
      <span className={css.name} title={name}>
        {name}
      </span>
    )
  return (
    <span className={css.name} title={name} data-tail={tail}>
      <span aria-hidden>
        {head}
        <span className={css.unseen}>{tail}</span>
      </span>
    </span>
  )
}

/** The path of a group on one line. Where it is too long, its front is cut: the group itself is at its end. */
export function PathText({ path }: { path: string }) {
  return (
    <span className={css.path} title={path}>
      <bdi>{path}</bdi>
    </span>
  )
}
