// The customer's logo, or the product's mark and name where none was uploaded.
import css from './Logo.module.css'

type Props = {
  /** PNG as base64. */
  image: string | null
  name: string
  /** Only the mark: the sidebar is folded. */
  isFolded?: boolean
  /** The sign-in page shows it larger. */
  isLarge?: boolean
}

/** A document with a gate. The icon of the browser's tab (app/theme/icon.svg) is the same. */
const Mark = () => (
  <svg className={css.mark} viewBox="0 0 32 32" aria-hidden>
    <rect className={css.tile} width="32" height="32" rx="8" />
    <path d="M8 6h10l6 6v14h-4.2v-6a3.8 3.8 0 0 0-7.6 0v6H8z" />
  </svg>
)

export function Logo({ image, name, isFolded = false, isLarge = false }: Props) {
  if (image !== null && !isFolded)
    return (
      <div className={css.logo} data-large={isLarge || undefined}>
        <img src={`data:image/png;base64,${image}`} alt={name} />
      </div>
    )
  return (
    <div className={css.logo} data-large={isLarge || undefined} title={name}>
      <Mark />
      {!isFolded && <span className="cut">{name}</span>}
    </div>
  )
}
