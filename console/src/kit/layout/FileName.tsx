// A file name on one line. A long one is shortened in the middle, so that its extension stays visible, and keeps its runs of
// blanks, which could otherwise hide an extension.
import css from './FileName.module.css'
import { splitFileName } from './fileName.ts'

export function FileName({ name }: { name: string }) {
  const [head, tail] = splitFileName(name)
  return (
    <span className={css.name}>
      {head !== '' && <span title={name}>{head}</span>}
      <span title={name}>{tail}</span>
    </span>
  )
}
