import { useQuery } from "@tanstack/react-query";
import { query } from "../../api.ts";
import { counted, exact, share } from "../../charts/format.ts";
import { Shares } from "../../charts/shares.tsx";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { EntityLink } from "../../shell/entity-link.tsx";
import { Section } from "../../shell/page.tsx";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { BUCKETS, toShares } from "./buckets.ts";
import { layerExperimentsRequest } from "./requests.ts";

const STATUS_WORDS = {
  setup: "In setup, no buckets",
  active: "Running",
  assignment_stopped: "Enrollment paused",
  experiment_stopped: "Stopped",
  decision_made: "Decided",
  abandoned: "Abandoned",
  archived: "Archived",
} as const;

/** The layer's buckets and the experiments that hold them. */
export function BucketsTab({ id }: { id: string }) {
  const { data, error, isPending } = useQuery(query("listLayerExperiments", layerExperimentsRequest(id)));
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (isPending) return <Loading />;
  const experiments = data.data;
  const shares = toShares(experiments);
  const free = BUCKETS - experiments.reduce((sum, { userBuckets }) => sum + userBuckets.length, 0);
  return (
    <>
      <Section title="Allocation" description="Running experiments share the layer’s users. No user is in two of them.">
        <div className={entity.card}>
          <p>
            {counted(BUCKETS, "buckets")}, {exact(free)} free ({share(free, BUCKETS)})
          </p>
          <Shares title="Taken and free" unit="users in the layer" shares={shares} remainder="Free" />
        </div>
      </Section>
      <Section title="Experiments">
        {experiments.length === 0 ? (
          <Empty title="No experiments">Choose this layer when you create an experiment.</Empty>
        ) : (
          <div className={entity.scroll}>
            <table className={entity.table} aria-label="Experiments">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Status</th>
                  <th scope="col">Allocation</th>
                  <th scope="col">Buckets</th>
                </tr>
              </thead>
              <tbody>
                {experiments.map((one) => (
                  <tr key={one.id}>
                    <th scope="row">
                      <EntityLink type="experiment" id={one.id} name={one.name} />
                    </th>
                    <td>{STATUS_WORDS[one.status]}</td>
                    <td>{one.allocation}%</td>
                    <td>{one.userBuckets.length}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Section>
    </>
  );
}
