// A checkbox of the portal: the browser's own, in the accent's colour.
import css from './Portal.module.css'

type Props = { label: string; isOn: boolean; onChange: (isOn: boolean) => void }

export function Tick({ label, isOn, onChange }: Props) {
  return (
    <label className={css.tick}>
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  )
}
