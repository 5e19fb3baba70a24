/** The object that was known before if all properties are the same, so that what depends on it is not drawn again. */
export function sameAs<Value extends object>(known: Value | undefined, value: Value): Value {
  const names = Object.keys(value) as (keyof Value)[];
  const isSame = known && Object.keys(known).length === names.length && names.every((name) => Object.is(known[name], value[name]));
  return isSame ? known : value;
}
