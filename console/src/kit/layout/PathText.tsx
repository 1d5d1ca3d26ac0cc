// The path of a group on one line. Where it is too long, its front is cut: the group itself is at its end.
import css from './PathText.module.css'

export function PathText({ path }: { path: string }) {
  return (
    <span className={css.path} title={path}>
      <bdi>{path}</bdi>
    </span>
  )
}
