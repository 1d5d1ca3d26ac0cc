// A file name on one line. A long name is shortened in the middle, so that its extension stays visible. It keeps its
// runs of blanks, which could otherwise hide an extension. It is copied and read aloud exactly: assistive technology
// would read the two parts of the text with a space between them.
import css from './FileName.module.css'
import { splitFileName } from './fileName.ts'

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
