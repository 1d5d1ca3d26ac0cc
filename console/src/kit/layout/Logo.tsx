// The customer's logo, or the product's initial and name where none was uploaded.
import css from './Logo.module.css'

type Props = {
  /** PNG as base64. */
  image: string | null
  name: string
  /** Only the initial: the sidebar is folded. */
  isFolded?: boolean
  /** The sign-in page shows it larger. */
  isLarge?: boolean
}

export function Logo({ image, name, isFolded = false, isLarge = false }: Props) {
  if (image !== null && !isFolded)
    return (
      <div className={css.logo} data-large={isLarge || undefined}>
        <img src={`data:image/png;base64,${image}`} alt={name} />
      </div>
    )
  return (
    <div className={css.logo} data-large={isLarge || undefined} title={name}>
      <span className={css.mark} aria-hidden>
        {[...name][0]?.toUpperCase()}
      </span>
      {!isFolded && <span className="cut">{name}</span>}
    </div>
  )
}
