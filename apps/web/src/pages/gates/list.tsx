import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { call, invalidate, query, type Schema } from "../../api.ts";
import { compact } from "../../charts/format.ts";
import { OWNER_COLUMNS } from "../../entity/common-columns.tsx";
import { CreateEntity } from "../../entity/create-entity.tsx";
import { EntityList } from "../../entity/entity-list.tsx";
import { environmentColumns } from "../../entity/environment-columns.tsx";
import { NameCell } from "../../entity/name-cell.tsx";
import { type EnvironmentSwitch, useEnvironmentSwitch } from "../../entity/use-environment-switch.tsx";
import { ReleaseBadge } from "../../releases/release-badge.tsx";
import { useRefusal } from "../../session/account.ts";
import { useEnvironments } from "../../shell/environments.ts";
import { Badge, Chip } from "../../ui/badge.tsx";
import type { TableColumn } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { BulkBar } from "./bulk.tsx";
import { STALE_LABELS, STALE_REASONS, STATUS_NAMES, STATUS_TONES } from "./gate-state.ts";
import styles from "./list.module.css";
import { GateFilters } from "./list-filters.tsx";
import { gateListRequest } from "./list-search.ts";

type Gate = Schema<"Gate">;
const FROM = "/projects/$projectID/gates";

export default function GateList() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { buildLocation } = useRouter();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const { data: answer } = useSuspenseQuery(query("listGates", gateListRequest(search)));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const switches = useEnvironmentSwitch("gate");
  const gates = answer.data;
  const chosen = gates.filter(({ id }) => selected.has(id));
  return (
    <EntityList
      noun="gate"
      nouns="gates"
      title="Gates"
      answer={answer}
      columns={useColumns(search.environment, switches)}
      getID={({ id }) => id}
      href={({ id }) => buildLocation({ to: "/projects/$projectID/gates/$id", params: { projectID, id } }).href}
      filters={<GateFilters />}
      above={
        <>
          {chosen.length > 0 && <BulkBar gates={chosen} environment={search.environment} onDone={() => setSelected(new Set())} />}
          {switches.review}
        </>
      }
      selected={selected}
      onSelect={setSelected}
      usualSort="createdTime"
      disabledReason={useRefusal()("create_configs")}
      create={(isOpen, onClose) => (
        <CreateEntity
          hasTeam
          hasOwner
          noun="gate"
          isOpen={isOpen}
          onClose={onClose}
          hasIDType
          create={async (body) => {
            const { data } = await call("createGate", { body });
            await invalidate("listGates");
            await navigate({ to: "/projects/$projectID/gates/$id", params: (params) => ({ ...params, id: data.id }) });
          }}
        >
          Off for everyone until you add a rule.
        </CreateEntity>
      )}
      purpose="Turn a feature on for everyone, for a share of users, or for users who match conditions."
      leftOut="To see archived gates, filter by the status Archived."
    />
  );
}

function useColumns(environment: string | undefined, { onSwitch, disabledReason }: EnvironmentSwitch): TableColumn<Gate>[] {
  const environments = useEnvironments();
  return useMemo(() => {
    return [
      {
        id: "name",
        name: "Name",
        width: "2fr",
        minWidth: 272,
        isRowHeader: true,
        allowsSorting: true,
        cell: (item) => (
          <NameCell id={item.id} name={item.name}>
            <ReleaseBadge of={item} />
          </NameCell>
        ),
      },
      {
        id: "status",
        name: "Status",
        width: 114,
        allowsSorting: true,
        cell: ({ status }) => <Badge tone={STATUS_TONES[status]}>{STATUS_NAMES[status]}</Badge>,
      },
      ...environmentColumns<Gate>(environments, environment, { onSwitch, disabledReason }),
      {
        id: "use",
        name: "Use",
        width: 146,
        cell: ({ typeReason, checksPerHour }) =>
          typeReason === "NONE" ? (
            <span className={checksPerHour > 0 ? undefined : styles.off}>
              {checksPerHour > 0 ? `${compact(checksPerHour)} checks/hour` : "No recent checks"}
            </span>
          ) : (
            <span className={styles.cut} title={STALE_REASONS[typeReason]}>
              <Badge tone="warn">{STALE_LABELS[typeReason]}</Badge>
            </span>
          ),
      },
      { id: "tags", name: "Tags", width: "1fr", minWidth: 88, cell: ({ tags }) => tags.map((tag) => <Chip key={tag}>{tag}</Chip>) },
      ...OWNER_COLUMNS,
      {
        id: "lastModifiedTime",
        name: "Changed",
        width: 114,
        allowsSorting: true,
        cell: ({ lastModifiedTime }) => <Time time={lastModifiedTime} />,
      },
    ];
  }, [environments, environment, onSwitch, disabledReason]);
}
