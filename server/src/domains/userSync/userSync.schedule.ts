// When the source is looked at: at full hours (UTC), every so many hours from the hour of the setting.
import { hours } from '../../clock.ts'

export type Schedule = { everyHours: number; hour: number }

/** Returns the first look after a moment; undefined if only a person starts runs. */
export function nextAfter({ everyHours, hour }: Schedule, moment: Date): Date | undefined {
  if (everyHours === 0) return undefined
  const step = hours(everyHours)
  const offset = hours(hour) % step
  return new Date((Math.floor((moment.getTime() - offset) / step) + 1) * step + offset)
}
