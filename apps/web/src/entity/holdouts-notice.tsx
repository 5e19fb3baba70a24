import { useSuspenseQuery } from "@tanstack/react-query";
import { query } from "../api.ts";
import { percentage } from "../charts/format.ts";
import { EntityLink } from "../shell/entity-link.tsx";
import { Notice } from "../ui/notice.tsx";

/** The holdouts that keep users from an entity. @param effect what these users miss: `don’t get this gate` */
export default function HoldoutsNotice({ ids, effect }: { ids: readonly string[]; effect: string }) {
  const { data } = useSuspenseQuery(query("listHoldouts", { query: { limit: 1000 } }));
  const enabled = data.data.filter(({ id, isEnabled, passPercentage }) => isEnabled && passPercentage > 0 && ids.includes(id));
  if (enabled.length === 0) return null;
  return (
    <Notice>
      {enabled.map(({ id, name, passPercentage, targetingGateID }) => (
        <span key={id}>
          {targetingGateID === null ? "" : "Up to "}
          {percentage(passPercentage)} of users are in the holdout <EntityLink type="holdout" id={id} name={name} /> and {effect}.{" "}
        </span>
      ))}
    </Notice>
  );
}
