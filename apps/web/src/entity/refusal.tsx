import { explain, violationsByPlace } from "../explain.ts";
import { fieldName } from "../targeting/field-words.ts";
import { Notice } from "../ui/notice.tsx";

type Props = {
  /** Why the request failed; undefined if it did not. */
  error: unknown;
  /** Whether a field of the form shows the fault at this place. */
  isMarked: (property: string) => boolean;
};

/** Why a form was refused, with the faults that none of its fields shows. It stands after the fields, which say during rendering what they show. */
export function Refusal({ error, isMarked }: Props) {
  if (error === undefined) return null;
  const unmarked = [...violationsByPlace(error)].filter(([property]) => !isMarked(property));
  return (
    <Notice tone="bad">
      {explain(error)}
      {unmarked.map(([property, fault]) => (
        <span key={property}>
          {fieldName(property)}: {fault}
        </span>
      ))}
    </Notice>
  );
}
