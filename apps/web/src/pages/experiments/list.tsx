import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { call, invalidate, query } from "../../api.ts";
import { OWNER_COLUMNS } from "../../entity/common-columns.tsx";
import { CreateEntity } from "../../entity/create-entity.tsx";
import { LayerChoice } from "../../entity/entity-choice.tsx";
import { EntityList } from "../../entity/entity-list.tsx";
import { ListFilters, useListFilter } from "../../entity/list-filters.tsx";
import { NameCell } from "../../entity/name-cell.tsx";
import { explain } from "../../explain.ts";
import { dayText } from "../../results/run-days.ts";
import { useRefusal } from "../../session/account.ts";
import { Badge, Chip } from "../../ui/badge.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { TableColumn } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./list.module.css";
import { type Effect, toEffect, toOutcome } from "./list-scores.ts";
import { experimentListRequest } from "./list-search.ts";
import { type Experiment, STATUS_NAMES, STATUS_TONES } from "./states.ts";
import { useScores } from "./use-scores.ts";

const FROM = "/projects/$projectID/experiments";

/** @param now ms since the epoch */
function toColumns(scores: ReturnType<typeof useScores>["scores"], now: number): TableColumn<Experiment>[] {
  const groupsOf = ({ id }: Experiment) => scores.get(id) ?? [];
  return [
    {
      id: "name",
      name: "Name",
      width: "2fr",
      minWidth: 200,
      isRowHeader: true,
      allowsSorting: true,
      cell: ({ id, name }) => <NameCell id={id} name={name} />,
    },
    {
      id: "status",
      name: "Status",
      width: 140,
      allowsSorting: true,
      cell: ({ status }) => <Badge tone={STATUS_TONES[status]}>{STATUS_NAMES[status]}</Badge>,
    },
    { id: "days", name: "Days", width: 215, cell: (experiment) => dayText(experiment, now) },
    { id: "outcome", name: "Recommendation", width: 175, cell: (one) => <OutcomeCell outcome={toOutcome(one, groupsOf(one))} /> },
    { id: "effect", name: "Effect", width: "1fr", minWidth: 250, cell: (one) => <EffectCell effect={toEffect(one, groupsOf(one))} /> },
    {
      id: "groups",
      name: "Groups",
      width: "1fr",
      minWidth: 140,
      isOptional: true,
      cell: ({ groups }) => <Cut text={groups.map(({ name }) => name).join(", ")} />,
    },
    { id: "allocation", name: "Allocation", width: 100, isOptional: true, cell: ({ allocation }) => `${allocation}%` },
    { id: "layer", name: "Layer", width: 130, isOptional: true, cell: ({ layerID }) => <Cut text={layerID ?? ""} /> },
    { id: "tags", name: "Tags", width: 130, cell: ({ tags }) => tags.map((tag) => <Chip key={tag}>{tag}</Chip>) },
    ...OWNER_COLUMNS,
    {
      id: "lastModifiedTime",
      name: "Changed",
      width: 120,
      allowsSorting: true,
      cell: ({ lastModifiedTime }) => <Time time={lastModifiedTime} />,
    },
  ];
}

const Cut = ({ text }: { text: string }) => (
  <bdi className={styles.cut} title={text}>
    {text}
  </bdi>
);

/** The change with its interval, and what it is about. */
function EffectCell({ effect }: { effect: Effect | undefined }) {
  if (!effect) return null;
  const { change, interval, verdict, about } = effect;
  return (
    <span className={styles.effect}>
      <span className={styles.cut} title={`${change} ${interval}`}>
        <strong className={styles[verdict]}>{change}</strong> {interval}
      </span>
      <bdi className={`${styles.cut} ${styles.about}`} title={about}>
        {about}
      </bdi>
    </span>
  );
}

const OutcomeCell = ({ outcome }: { outcome: ReturnType<typeof toOutcome> }) =>
  outcome && (
    <span className={styles.cut} title={outcome.text}>
      <Badge tone={outcome.tone}>
        <bdi>{outcome.text}</bdi>
      </Badge>
    </span>
  );

export default function ExperimentList() {
  const search = useSearch({ from: FROM });
  const filter = useListFilter();
  const navigate = useNavigate({ from: FROM });
  const { buildLocation } = useRouter();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const { data: answer } = useSuspenseQuery(query("listExperiments", experimentListRequest(search)));
  const { scores, error } = useScores(answer.data);
  const columns = useMemo(() => toColumns(scores, Date.now()), [scores]);
  const [hypothesis, setHypothesis] = useState("");
  const [layerID, setLayerID] = useState<string | null>(null);
  const open = (id: string) => navigate({ to: "/projects/$projectID/experiments/$id", params: (params) => ({ ...params, id }) });
  return (
    <EntityList
      noun="experiment"
      nouns="experiments"
      title="Experiments"
      answer={answer}
      columns={columns}
      getID={({ id }) => id}
      href={({ id }) => buildLocation({ to: "/projects/$projectID/experiments/$id", params: { projectID, id } }).href}
      filters={
        <ListFilters noun="experiments" statuses={STATUS_NAMES} hasTeams hasOwners>
          <Checkbox isSelected={search.stale === true} onChange={(isStale) => filter({ stale: isStale || undefined })}>
            Stale only
          </Checkbox>
        </ListFilters>
      }
      above={error && <Notice tone="bad">Couldn’t load effects and recommendations. {explain(error)}</Notice>}
      actions={
        <Link to="/projects/$projectID/portfolio" params={{ projectID }}>
          Portfolio
        </Link>
      }
      usualSort="createdTime"
      disabledReason={useRefusal()("create_configs")}
      create={(isOpen, onClose) => (
        <CreateEntity
          hasTeam
          hasOwner
          noun="experiment"
          isOpen={isOpen}
          onClose={onClose}
          hasIDType
          hasDescription={false}
          fields={(faultAt) => (
            <>
              <TextField
                label="Hypothesis"
                rows={3}
                value={hypothesis}
                onChange={setHypothesis}
                description="The change you expect, and why. You can edit it until you decide."
                error={faultAt("hypothesis")}
              />
              <LayerChoice
                label="Layer"
                placeholder="None (not in a layer)"
                value={layerID}
                onChange={setLayerID}
                onClear={() => setLayerID(null)}
                error={faultAt("layerID")}
              />
            </>
          )}
          create={async ({ description: _, ...own }) => {
            const { data } = await call("createExperiment", {
              body: { ...own, hypothesis, ...(layerID !== null && { layerID }) },
            });
            setHypothesis("");
            setLayerID(null);
            await invalidate("listExperiments");
            await open(data.id);
          }}
        >
          Starts in setup with the groups Control and Test. No users take part until you start it.
        </CreateEntity>
      )}
      purpose="Compare groups of users with different values, and see how your metrics change."
      leftOut="Includes archived experiments."
    />
  );
}
