import { useQuery } from "@tanstack/react-query";
import { query } from "../api.ts";

/** The names of holdouts, each as its id until it is known. @param none the text without any */
export function HoldoutNames({ ids, none }: { ids: readonly string[]; none: string }) {
  const { data } = useQuery({ ...query("listHoldouts", { query: { limit: 1000 } }), enabled: ids.length > 0 });
  if (ids.length === 0) return none;
  const names = ids.map((id) => data?.data.find((holdout) => holdout.id === id)?.name ?? id);
  return <bdi>{names.join(", ")}</bdi>;
}
