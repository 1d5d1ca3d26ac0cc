// The last day of a user account (spec S1 §5).

/**
 * Returns whether an account may expire on this day: tomorrow or later, and within `maxExpireDT` days if that is above
 * 0 (spec S1 §5). Days are YYYY-MM-DD; `today` is the server's local day.
 */
export function isExpiryAllowed(expireDT: string, today: string, maxExpireDT: number): boolean {
  const days = (Date.parse(expireDT) - Date.parse(today)) / 86_400_000
  return days >= 1 && (maxExpireDT === 0 || days <= maxExpireDT)
}
