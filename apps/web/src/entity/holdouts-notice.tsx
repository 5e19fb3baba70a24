import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { query, type Schema } from "../api.ts";
import { percentage } from "../charts/format.ts";
import { EntityLink } from "../shell/entity-link.tsx";
import { Notice } from "../ui/notice.tsx";

type Props = {
  ids: readonly string[];
  /** The layer of an experiment. Its holdouts hold the experiment too. */
  layerID?: string | null;
  /** Whether global holdouts hold it without listing it. */
  isHeldByGlobal?: boolean;
  /** The effect on users in a holdout: `don’t get this gate` */
  effect: string;
};

/** The holdouts that keep users from an entity. */
export default function HoldoutsNotice({ ids: own, layerID = null, isHeldByGlobal = false, effect }: Props) {
  const layer = useQuery({ ...query("getLayer", { path: { id: layerID ?? "" } }), enabled: layerID !== null });
  const ids = [...own, ...(layer.data?.data.holdoutIDs ?? [])];
  const { data } = useSuspenseQuery(query("listHoldouts", { query: { limit: 1000 } }));
  const isHolding = ({ id, isGlobal }: Schema<"Holdout">) => ids.includes(id) || (isHeldByGlobal && isGlobal);
  const enabled = data.data.filter((holdout) => holdout.isEnabled && holdout.passPercentage > 0 && isHolding(holdout));
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
