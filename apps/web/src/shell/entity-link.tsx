import { Link, useParams } from "@tanstack/react-router";

type Props = { type: string; id: string; name: string };

/** The name of an entity, as a link where it has a page. */
export function EntityLink({ type, id, name }: Props) {
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const text = <bdi>{name}</bdi>;
  switch (type) {
    case "gate":
      return (
        <Link to="/projects/$projectID/gates/$id" params={{ projectID, id }}>
          {text}
        </Link>
      );
    case "gate_overrides":
      return (
        <Link to="/projects/$projectID/gates/$id" params={{ projectID, id }} search={{ tab: "overrides" }}>
          {text}
        </Link>
      );
    case "role":
      return (
        <Link to="/projects/$projectID/roles/$id" params={{ projectID, id }}>
          {text}
        </Link>
      );
    case "team":
      return (
        <Link to="/projects/$projectID/teams/$id" params={{ projectID, id }}>
          {text}
        </Link>
      );
    case "member":
      return (
        <Link to="/projects/$projectID/people" params={{ projectID }} search={{ person: id }}>
          {text}
        </Link>
      );
    default:
      return <strong>{text}</strong>;
  }
}
