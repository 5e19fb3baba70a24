import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { query } from "../api.ts";
import { percentage } from "../charts/format.ts";
import { EntityLink } from "../shell/entity-link.tsx";
import { Notice } from "../ui/notice.tsx";

type Props = {
  ids: readonly string[];
  /** The layer of an experiment. Its holdouts hold the experiment too. */
  layerID?: string | null;
  /** The effect on users in a holdout: `don’t get this gate` */
  effect: string;
};

/** The holdouts that keep users from an entity. */
export default function HoldoutsNotice({ ids: own, layerID = null, effect }: Props) {
  const layer = useQuery({ ...query("getLayer", { path: { id: layerID ?? "" } }), enabled: layerID !== null });
  const ids = [...own, ...(layer.data?.data.holdoutIDs ?? [])];
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
