import { Link, useParams } from "@tanstack/react-router";
import { findHost, hasPage, pageRoute } from "../kinds/kinds.ts";

type Props = { type: string; id: string; name: string };

/** The name of an entity, as a link if it has a page. */
export function EntityLink({ type, id, name }: Props) {
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const text = <bdi>{name}</bdi>;
  if (hasPage(type))
    return (
      <Link to={pageRoute(type)} params={{ projectID, id }}>
        {text}
      </Link>
    );
  const host = findHost(type);
  if (host !== undefined)
    return (
      <Link to={pageRoute(host.type)} params={{ projectID, id }} search={{ tab: host.tab }}>
        {text}
      </Link>
    );
  if (type === "member")
    return (
      <Link to="/projects/$projectID/people" params={{ projectID }} search={{ person: id }}>
        {text}
      </Link>
    );
  if (type === "review")
    return (
      <Link to="/projects/$projectID/reviews/$id" params={{ projectID, id }}>
        {text}
      </Link>
    );
  return <strong>{text}</strong>;
}
