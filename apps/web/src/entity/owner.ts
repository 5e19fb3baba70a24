import { type Named, personName } from "../session/names.ts";
import type { Owner } from "../targeting/owner-fields.ts";

/** A person as entities name their owner. */
export const toOwner = ({ id, ...person }: Named & { id: string }): NonNullable<Owner> => ({
  ...{ ownerID: id, ownerType: "USER", ownerName: personName(person), ownerEmail: person.email },
});
