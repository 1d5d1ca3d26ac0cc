// The current local day, also of a screen that stays open over midnight.
import { localDayOf } from '@acc/contract/labels/formats'
import { useEffect, useMemo, useState } from 'react'

/** Milliseconds between two looks at the clock. */
const LOOK = 15_000

export function useToday(): Date {
  const [day, setDay] = useState(() => localDayOf(new Date()))
  useEffect(() => {
    const timer = setInterval(() => setDay(localDayOf(new Date())), LOOK)
    return () => clearInterval(timer)
  }, [])
  return useMemo(() => new Date(`${day}T00:00`), [day])
}
