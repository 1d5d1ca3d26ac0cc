// The three-way merge of a form: the values that it began with, the typed ones, and those that others stored since.

export type Values = Record<string, unknown>

type Merged = {
  values: Values
  /** Fields that both sides changed to different values. They keep the typed one. */
  collided: string[]
}

/** Undefined, a value that is not sent, differs from null. */
const isSame = (names: readonly string[], one: Values, other: Values): boolean => {
  const textOf = (values: Values) => JSON.stringify(names.map((name) => [values[name] === undefined, values[name]]))
  return textOf(one) === textOf(other)
}

/**
 * Returns the values of both sides. The fields of a unit, such as a switch and the date that it enables, are merged as
 * one value.
 */
export function mergeValues(base: Values, mine: Values, theirs: Values, units: readonly (readonly string[])[]): Merged {
  const merged: Merged = { values: {}, collided: [] }
  const alone = Object.keys(theirs).filter((name) => !units.some((unit) => unit.includes(name)))
  for (const unit of [...units, ...alone.map((name) => [name])]) {
    const names = unit.filter((name) => name in theirs)
    const isTaken = isSame(names, mine, base)
    for (const name of names) merged.values[name] = (isTaken ? theirs : mine)[name]
    if (!isTaken && !isSame(names, theirs, base) && !isSame(names, mine, theirs)) merged.collided.push(...names)
  }
  return merged
}
