import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { query, type Schema } from "../api.ts";
import { counted } from "../charts/format.ts";
import entity from "../entity/entity.module.css";
import { explain } from "../explain.ts";
import { Section } from "../shell/page.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Empty, Loading, Notice } from "../ui/notice.tsx";
import { countText, describeContrast, isImbalanced, overlapText } from "./interaction-words.ts";
import styles from "./results.module.css";
import { numberText, pText, signedText } from "./verdicts.ts";

type Interaction = Schema<"ExperimentInteraction">;
type Props = { id: string; groupName: (group: string) => string };

/** How the effect depends on other experiments. It's computed once someone opens it. */
export function Interactions(props: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title="Interactions"
      description="Other experiments on the same users at the same time, and whether they change this experiment's effect."
      actions={!isOpen && <Button onPress={() => setOpen(true)}>Check interactions</Button>}
    >
      {isOpen && <Found {...props} />}
    </Section>
  );
}

function Found({ id, groupName }: Props) {
  const { data, error } = useQuery(query("getExperimentInteractions", { path: { id } }));
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (!data) return <Loading label="Computing the interactions" />;
  const { interactions, moreExperiments = 0, reason } = data.data;
  if (interactions.length === 0) return <Empty title="Nothing to compare">{reason ?? "No other experiment ran at the same time."}</Empty>;
  return (
    <>
      <p className={styles.conclusion}>{countText(interactions)}</p>
      {interactions.map((interaction) => (
        <Pair key={interaction.experimentID} interaction={interaction} groupName={groupName} />
      ))}
      {moreExperiments > 0 && <p className={entity.soft}>{counted(moreExperiments, "more experiments")} ran at the same time.</p>}
    </>
  );
}

type PairProps = { interaction: Interaction; groupName: Props["groupName"] };

function Pair({ interaction, groupName }: PairProps) {
  const { experimentName, metrics } = interaction;
  const rows = metrics.flatMap(({ metricID, metricName, contrasts }) => contrasts.map((contrast) => ({ metricID, metricName, contrast })));
  return (
    <>
      <h3>
        <bdi>{experimentName}</bdi>
      </h3>
      {isImbalanced(interaction) && (
        <Notice tone="warn" title="The groups aren't independent">
          One experiment affects which users enter the other. Don't compare their effects.
        </Notice>
      )}
      <p className={entity.soft}>{overlapText(interaction)}</p>
      {rows.length > 0 && (
        <div className={entity.scroll}>
          <table className={entity.table} aria-label={`Interactions with ${experimentName}`}>
            <thead>
              <tr>
                <th scope="col">Metric</th>
                <th scope="col">Groups</th>
                <th scope="col">Difference of effects</th>
                <th scope="col">p-value, corrected</th>
                <th scope="col">Verdict</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ metricID, metricName, contrast }) => {
                const { groupID, otherGroupID, difference, interval, pValue, adjustedPValue = pValue } = contrast;
                const { name, tone } = describeContrast(contrast);
                return (
                  <tr key={`${metricID} ${groupID} ${otherGroupID}`}>
                    <th scope="row">
                      <bdi>{metricName}</bdi>
                    </th>
                    <td>
                      <bdi>{groupName(groupID)}</bdi> × <bdi>{otherGroupID}</bdi>
                    </td>
                    <td>
                      {difference === undefined ? "–" : signedText(difference)}
                      {interval && ` [${interval.map(numberText).join(", ")}]`}
                    </td>
                    <td>{adjustedPValue === undefined ? "–" : pText(adjustedPValue)}</td>
                    <td>
                      <Badge tone={tone}>{name}</Badge>
                      {contrast.reason !== undefined && <div className={entity.soft}>{contrast.reason}</div>}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
