import { useQuery } from "@tanstack/react-query";
import { query } from "../../api.ts";
import { BucketStrip } from "../../charts/bucket-strip.tsx";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { EntityLink } from "../../shell/entity-link.tsx";
import { Section } from "../../shell/page.tsx";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { toSegments } from "./buckets.ts";
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
  return (
    <>
      <Section title="Buckets" description="A layer has 1,000 buckets. A running experiment takes 10 per percent of its allocation.">
        <BucketStrip title="Buckets by experiment" segments={toSegments(experiments)} />
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
