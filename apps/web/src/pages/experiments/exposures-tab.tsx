import { useQuery } from "@tanstack/react-query";
import { query } from "../../api.ts";
import { share } from "../../charts/format.ts";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { ExposureLines, totalExposed } from "../../results/exposures.tsx";
import { Section } from "../../shell/page.tsx";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { formatNumber } from "../../ui/number-text.ts";
import type { Experiment } from "./states.ts";
import { useExperimentMarks } from "./use-marks.ts";

/** How many units each group has reached by the end of each day. */
export function ExposuresTab({ experiment }: { experiment: Experiment }) {
  const { id, idType, groups } = experiment;
  const marks = useExperimentMarks(experiment);
  const { data, error, isPending } = useQuery(query("getExperimentCumulativeExposures", { path: { id } }));
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (isPending) return <Loading />;
  if (data.reason !== undefined) return <Empty title="No exposures by day">{data.reason}</Empty>;
  const total = totalExposed(data);
  if (total === 0)
    return (
      <Empty title="No exposures yet">
        A user is exposed when your application reads the experiment for them. Users with an override don’t count.
      </Empty>
    );
  const planned = (groupID: string) => groups.find((group) => group.id === groupID)?.size ?? 0;
  return (
    <Section title="Exposures" description={`Exposed units by ${idType}, each counted once. Days are in ${data.timeZone}.`}>
      <ExposureLines exposures={data} marks={marks} />
      <div className={entity.scroll}>
        <table className={entity.table} aria-label="Exposed units by group">
          <thead>
            <tr>
              <th scope="col">Group</th>
              <th scope="col">Exposed</th>
              <th scope="col">Share</th>
              <th scope="col">Planned share</th>
            </tr>
          </thead>
          <tbody>
            {data.data.map(({ groupID, groupName, results }) => {
              const exposed = results.at(-1)?.exposures ?? 0;
              return (
                <tr key={groupID}>
                  <th scope="row">
                    <bdi>{groupName}</bdi>
                  </th>
                  <td>{formatNumber(exposed)}</td>
                  <td>{share(exposed, total)}</td>
                  <td>{planned(groupID)}%</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
