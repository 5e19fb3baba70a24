import { Link, useParams } from "@tanstack/react-router";
import { ENTITY_PAGES, hasPage } from "./entity-pages.ts";

type Props = { type: string; id: string; name: string };

/** Entities that another entity's page shows in a tab. */
const TABS = { gate_overrides: "/projects/$projectID/gates/$id" } as const;

/** The name of an entity, as a link where it has a page. What has none is shown without a link. */
export function EntityLink({ type, id, name }: Props) {
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const text = <bdi>{name}</bdi>;
  if (hasPage(type))
    return (
      <Link to={ENTITY_PAGES[type]} params={{ projectID, id }}>
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
