import type { Violation } from "../../common/errors.ts";
import { isLaunched, toCanonical } from "./canonical.ts";
import { type Stored, withTeams } from "./configuration.ts";
import type { Configured, Entity } from "./configured-kinds.ts";
import { checkVersions } from "./prompt-versions.ts";

/** An entity of a configuration. `place` is such as `gates[3]`. */
export type Desired = { kind: Configured; id: string; entity: Entity; place: string; isLaunched: boolean };

/** The entities of a kind in a configuration. Adds a violation for one that cannot be recognized, and one that is there twice. */
export function readDesired(kind: Configured, given: Entity[], teams: ReadonlyMap<string, string>, violations: Violation[]): Desired[] {
  const idsOfTeams = new Map([...teams].map(([id, name]) => [name, id]));
  const seen = new Set<string>();
  return given.flatMap((one, index) => {
    const place = `${kind.kind}[${index}]`;
    const refuse = (field: string, errorMessage: string) => {
      violations.push({ property: `configuration.${place}.${field}`, errorMessage });
      return [];
    };
    const id = kind.identify(one);
    const field = kind.hasID ? "id" : "name";
    if (id === undefined) return refuse(field, kind.kind === "metrics" && one.name ? "needs a type beside it" : "is required");
    if (seen.has(id)) return refuse(field, `is the same as that of an earlier entity: ${id}`);
    seen.add(id);
    const refused = Object.entries(kind.refused ?? {}).filter(([name]) => one[name] !== undefined);
    if (refused.length > 0) return refused.flatMap(([name, reason]) => refuse(name, reason));
    if (kind.type === "prompt" && !checkVersions(one, refuse)) return [];
    const canonical = toCanonical(kind, one, { keepUnknown: true });
    const entity = withTeams(canonical, (team, property) => {
      const known = teams.has(team) ? team : idsOfTeams.get(team);
      if (known === undefined) refuse(property, `is neither the name nor the ID of a team of the project: ${team}`);
      return known ?? team;
    });
    return [{ kind, id, entity, place, isLaunched: isLaunched(kind, one) }];
  });
}

/** Adds a violation if more than one stored entity has the name. */
export function checkUnique(
  kind: Configured,
  { id, place }: Pick<Desired, "id" | "place">,
  stored: readonly Stored[],
  violations: Violation[],
) {
  const found = stored.filter((one) => !one.isArchived && kind.identify(one.entity) === id);
  if (kind.ownerType || found.length < 2) return;
  violations.push({
    property: `configuration.${place}.name`,
    errorMessage: `is the name of ${found.length} entities of the project. Rename all but one`,
  });
}
