import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { query } from "../../api.ts";
import { entityNoun, findHost, hasHistory, hasPage, kinds, pageRoute } from "../../kinds/kinds.ts";
import { EntityLink } from "../../shell/entity-link.tsx";
import { namelessEntity, type Recent } from "./recent-changes.ts";

type Props = { change: Recent; projectID: string };

/** The entity of a change with its type: “gate Sale”. */
export function ChangedEntity(props: Props) {
  const { entityType: type, name } = props.change;
  const isNamed = name !== undefined || isPart(type);
  return (
    <>
      {isNamed && `${entityNoun(type)} `}
      <ChangedName {...props} />
    </>
  );
}

/** The name of a changed entity, as a link if it has a page. */
export function ChangedName({ change, projectID }: Props) {
  const { entityType: type, entityID: id, name, deed } = change;
  if (name === undefined && isPart(type)) return <WholeEntity part={type} id={id} />;
  if (name === undefined && !hasPage(type)) return namelessEntity(type);
  const linked = name ?? namelessEntity(type);
  if (deed === "deleted") return <bdi>{linked}</bdi>;
  if (!hasPage(type) || !hasHistory(type)) return <EntityLink type={type} id={id} name={linked} />;
  return (
    <Link to={pageRoute(type)} params={{ projectID, id }} search={{ tab: "history" }}>
      <bdi>{linked}</bdi>
    </Link>
  );
}

const isPart = (type: string): boolean => findHost(type) !== undefined || type === "autotune_weights";

/** The entity that a part belongs to, such as the gate of overrides. It has the same ID. */
function WholeEntity({ part, id }: { part: string; id: string }) {
  const whole = findHost(part)?.type ?? "autotune";
  // Each of these operations takes the path of a gate's.
  const { data } = useQuery(query(kinds[whole].read as "getGate", { path: { id } }));
  return <EntityLink type={whole === "autotune" ? whole : part} id={id} name={data?.data.name ?? id} />;
}
