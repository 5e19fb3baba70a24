import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { call, invalidate, query, type Schema } from "../../api.ts";
import { OWNER_COLUMNS } from "../../entity/common-columns.tsx";
import { CreateEntity } from "../../entity/create-entity.tsx";
import entity from "../../entity/entity.module.css";
import { EntityList } from "../../entity/entity-list.tsx";
import { environmentColumns } from "../../entity/environment-columns.tsx";
import { ListFilters } from "../../entity/list-filters.tsx";
import { NameCell } from "../../entity/name-cell.tsx";
import { type EnvironmentSwitch, useEnvironmentSwitch } from "../../entity/use-environment-switch.tsx";
import { ReleaseBadge } from "../../releases/release-badge.tsx";
import { useRefusal } from "../../session/account.ts";
import { useEnvironments } from "../../shell/environments.ts";
import { Badge, Chip } from "../../ui/badge.tsx";
import type { TableColumn } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { configListRequest, STATUSES } from "./list-search.ts";
import { STATUS_TONES } from "./states.ts";

type DynamicConfig = Schema<"DynamicConfig">;
const FROM = "/projects/$projectID/dynamic-configs";

export default function DynamicConfigList() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { buildLocation } = useRouter();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const { data: answer } = useSuspenseQuery(query("listDynamicConfigs", configListRequest(search)));
  const switches = useEnvironmentSwitch("dynamic_config");
  const open = (id: string) => navigate({ to: "/projects/$projectID/dynamic-configs/$id", params: (params) => ({ ...params, id }) });
  return (
    <EntityList
      noun="dynamic config"
      nouns="dynamic configs"
      title="Dynamic configs"
      answer={answer}
      columns={useColumns(search.environment, switches)}
      getID={({ id }) => id}
      href={({ id }) => buildLocation({ to: "/projects/$projectID/dynamic-configs/$id", params: { projectID, id } }).href}
      filters={<ListFilters noun="dynamic configs" statuses={Object.fromEntries(STATUSES.map((one) => [one, one]))} hasTeams hasOwners />}
      above={switches.review}
      usualSort="createdTime"
      disabledReason={useRefusal()("create_configs")}
      create={(isOpen, onClose) => (
        <CreateEntity
          hasTeam
          hasOwner
          noun="dynamic config"
          isOpen={isOpen}
          onClose={onClose}
          hasIDType
          create={async (body) => {
            const { data } = await call("createDynamicConfig", { body });
            await invalidate("listDynamicConfigs");
            await open(data.id);
          }}
        >
          Starts with an empty object for everyone. Set the default value and rules on the next page.
        </CreateEntity>
      )}
      purpose="Change your app’s values without a release, for everyone or for some users."
      leftOut="To see archived dynamic configs, filter by the status Archived."
    />
  );
}

function useColumns(environment: string | undefined, { onSwitch, disabledReason }: EnvironmentSwitch): TableColumn<DynamicConfig>[] {
  const environments = useEnvironments();
  return useMemo(
    () => [
      {
        id: "name",
        name: "Name",
        width: "2fr",
        minWidth: 200,
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
        width: 120,
        allowsSorting: true,
        cell: ({ status }) => <Badge tone={STATUS_TONES[status]}>{status}</Badge>,
      },
      ...environmentColumns<DynamicConfig>(environments, environment, { onSwitch, disabledReason }, "Default value"),
      {
        id: "defaultValue",
        name: "Default value",
        width: "2fr",
        minWidth: 160,
        cell: ({ defaultValue }) => {
          const text = JSON.stringify(defaultValue);
          return (
            <code className={entity.cut} title={text}>
              {text}
            </code>
          );
        },
      },
      { id: "tags", name: "Tags", width: "1fr", minWidth: 100, cell: ({ tags }) => tags.map((tag) => <Chip key={tag}>{tag}</Chip>) },
      ...OWNER_COLUMNS,
      {
        id: "lastModifiedTime",
        name: "Changed",
        width: 120,
        allowsSorting: true,
        cell: ({ lastModifiedTime }) => <Time time={lastModifiedTime} />,
      },
    ],
    [environments, environment, onSwitch, disabledReason],
  );
}
