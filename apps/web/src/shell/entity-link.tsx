import { Link, useParams } from "@tanstack/react-router";

type Props = { type: string; id: string; name: string };

/** The pages of entities by the type that the contract names. What has none is shown without a link. */
const PAGES = {
  gate: "/projects/$projectID/gates/$id",
  dynamic_config: "/projects/$projectID/dynamic-configs/$id",
  role: "/projects/$projectID/roles/$id",
  team: "/projects/$projectID/teams/$id",
} as const;

/** Entities that another entity's page shows in a tab. */
const TABS = { gate_overrides: "/projects/$projectID/gates/$id" } as const;

/** The name of an entity, as a link where it has a page. */
export function EntityLink({ type, id, name }: Props) {
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const text = <bdi>{name}</bdi>;
  if (type in PAGES)
    return (
      <Link to={PAGES[type as keyof typeof PAGES]} params={{ projectID, id }}>
        {text}
      </Link>
    );
  if (type in TABS)
    return (
      <Link to={TABS[type as keyof typeof TABS]} params={{ projectID, id }} search={{ tab: "overrides" }}>
        {text}
      </Link>
    );
  if (type === "member")
    return (
      <Link to="/projects/$projectID/people" params={{ projectID }} search={{ person: id }}>
        {text}
      </Link>
    );
  return <strong>{text}</strong>;
}
