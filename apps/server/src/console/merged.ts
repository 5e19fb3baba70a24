/** Handlers by the operationId that each serves. */
type Part = { readonly [operationID: string]: unknown };

type KeysOf<Parts> = Parts extends unknown ? keyof Parts & string : never;

/** The operationIds that more than one of the parts has. */
type Twice<Parts extends object> = { [Name in keyof Parts]: keyof Parts[Name] & KeysOf<Parts[Exclude<keyof Parts, Name>]> }[keyof Parts];

type Merged<Part> = { [Id in KeysOf<Part>]: Part extends { [Same in Id]: infer Handler } ? Handler : never };

/** Merges handlers. Two handlers for one operation are a type error, since one would silently win. */
export function merged<Parts extends { [name: string]: object }>(
  parts: Parts & ([Twice<Parts>] extends [never] ? unknown : { "two handlers for": Twice<Parts> }),
): Merged<Parts[keyof Parts]> {
  return Object.assign({}, ...Object.values(parts as { [name: string]: Part }));
}
