// The icon of a shortcut; without one, a tile with the first letter of its name.
import css from './Shortcuts.module.css'

type Props = { shortcut: { name: string; iconName?: string | null | undefined; iconData?: string | null | undefined } }

const mediaTypeOf = (name: string) => (name.toLowerCase().endsWith('.ico') ? 'image/x-icon' : 'image/png')

export function ShortcutIcon({ shortcut: { name, iconName, iconData } }: Props) {
  if (iconName && iconData)
    return <img className={css.icon} src={`data:${mediaTypeOf(iconName)};base64,${iconData}`} alt="" />
  return (
    <span className={css.tile} aria-hidden>
      {[...name.trim()][0]?.toUpperCase() ?? ''}
    </span>
  )
}
