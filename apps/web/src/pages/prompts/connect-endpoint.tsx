import { Link, useParams } from "@tanstack/react-router";
import { lacksEndpoint } from "./endpoint-errors.ts";

/** A link to where a model endpoint is connected, if a request failed because the project has none. */
export function ConnectEndpoint({ reason, onClick }: { reason: string; onClick?: () => void }) {
  const { projectID } = useParams({ from: "/projects/$projectID" });
  if (!lacksEndpoint(reason)) return null;
  return (
    <Link to="/projects/$projectID/settings" params={{ projectID }} search={{ tab: "model" }} onClick={onClick}>
      Connect a model endpoint
    </Link>
  );
}
