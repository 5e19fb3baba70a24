// Saves of an entity, for charts of what it does. Pure.
import type { Mark } from "../charts/marks.ts";
import { actorWords } from "../shell/actor-words.ts";
import type { Change } from "../targeting/change.ts";
import { toText } from "../targeting/parts.ts";

type Modifier = { lastModifierID?: string | null; lastModifierName: string | null };
type Version = Modifier & { lastModifiedTime: number };

const MAX_CHANGES = 3;

/**
 * A mark for each save that changed one of the fields.
 * @param versions the latest first
 * @param isShown whether a changed field can change what a chart shows
 */
export function changeMarks<Entity extends Version>(
  versions: readonly Entity[],
  toChanges: (before: Entity, after: Entity) => readonly Change[],
  isShown: (field: string) => boolean,
): Mark[] {
  return versions.flatMap((after, index) => {
    const before = versions[index + 1];
    const changes = before === undefined ? [] : toChanges(before, after).filter(({ field }) => isShown(field));
    const [first] = changes;
    if (first === undefined) return [];
    const more = changes.length - MAX_CHANGES;
    const texts = changes.slice(0, MAX_CHANGES).map(({ parts }) => toText(parts));
    return [
      {
        time: after.lastModifiedTime,
        name: changes.length > 1 ? `${changes.length} changes` : nameOf(first),
        text: [...texts, ...(more > 0 ? [`${more} more`] : [])].join("; ") + byWhom(after),
      },
    ];
  });
}

/** The field's label, which a sentence about a change begins with. */
const nameOf = ({ parts: [subject], field }: Change): string => (subject?.kind === "subject" ? subject.text : field);

/** The person or key that saved it, in parentheses. Empty if unknown. */
export const byWhom = ({ lastModifierID: id, lastModifierName: name }: Modifier): string =>
  name === null ? "" : ` (${actorWords({ id, name })})`;
