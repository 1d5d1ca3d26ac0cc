// The browser's own checkbox, which is lighter than Mantine's.
import css from './Portal.module.css'

type Props = { label: string; isOn: boolean; onChange: (isOn: boolean) => void }

export function Checkbox({ label, isOn, onChange }: Props) {
  return (
    <label className={css.checkbox}>
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  )
}
