// A file's name in one line: cut in its middle where it is too long, for its ending tells what it is, and with its runs of
// blanks, which would push an ending out of sight.
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
