import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import type { Selection, SortDescriptor } from "react-aria-components";
import { call, invalidate, query, type Schema } from "../../api.ts";
import { CreateEntity } from "../../entity/create-entity.tsx";
import { environmentColumns } from "../../entity/environment-columns.tsx";
import { NameCell } from "../../entity/name-cell.tsx";
import { useRefusal } from "../../session/account.ts";
import { useEnvironments } from "../../shell/environments.ts";
import { Page } from "../../shell/page.tsx";
import { useOfferActions } from "../../shell/page-actions.ts";
import { Pager } from "../../shell/pager.tsx";
import { Badge, Chip } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/notice.tsx";
import { Table, type TableColumn } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { BulkBar } from "./bulk.tsx";
import { STALE_REASONS, STATUS_NAMES, STATUS_TONES } from "./gate-state.ts";
import styles from "./list.module.css";
import { GateFilters } from "./list-filters.tsx";
import { gateListRequest, SORTS } from "./list-search.ts";

type Gate = Schema<"Gate">;
const FROM = "/projects/$projectID/gates";

export default function GateList() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { buildLocation } = useRouter();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const { data: answer } = useSuspenseQuery(query("listGates", gateListRequest(search)));
  const [selected, setSelected] = useState<Selection>(new Set());
  const [isCreating, setCreating] = useState(false);
  const refusal = useRefusal()("create_configs");
  const columns = useColumns(search.environment);
  const sort: SortDescriptor = { column: search.sort ?? "createdTime", direction: sortDirection(search.sort, search.order) };
  const create = () => setCreating(true);
  useOfferActions(
    useMemo(
      () => (refusal === undefined ? [{ id: "create", label: "Create a gate", shortcut: "c", run: () => setCreating(true) }] : []),
      [refusal],
    ),
  );
  const gates = answer.data;
  const chosen = selected === "all" ? gates : gates.filter(({ id }) => selected.has(id));
  const isFiltered =
    search.search !== undefined ||
    search.status !== undefined ||
    search.tags !== undefined ||
    search.type !== undefined ||
    search.teamID !== undefined;
  return (
    <Page
      title="Gates"
      actions={
        <Button look="primary" onPress={create} disabledReason={refusal}>
          <Plus aria-hidden="true" />
          Create gate
        </Button>
      }
    >
      <GateFilters />
      {chosen.length > 0 && <BulkBar gates={chosen} environment={search.environment} onDone={() => setSelected(new Set())} />}
      <Table
        label="Gates"
        columns={columns}
        items={gates}
        getID={({ id }) => id}
        href={({ id }) => buildLocation({ to: "/projects/$projectID/gates/$id", params: { projectID, id } }).href}
        sort={sort}
        onSort={({ column, direction }) =>
          void navigate({
            search: (known) => ({
              ...withoutPage(known),
              sort: SORTS.find((one) => one === column),
              order: direction === "ascending" ? "asc" : "desc",
            }),
          })
        }
        selected={selected}
        onSelect={setSelected}
        empty={
          isFiltered ? (
            <Empty title="No matching gates" action={<Button onPress={() => void navigate({ search: {} })}>Clear filters</Button>}>
              To see archived gates, filter by the status Archived.
            </Empty>
          ) : (
            <Empty
              title="No gates yet"
              action={
                <Button look="primary" onPress={create} disabledReason={refusal}>
                  Create gate
                </Button>
              }
            >
              Turn a feature on for everyone, for a share of users, or for users who match conditions.
            </Empty>
          )
        }
      />
      <Pager
        pagination={answer.pagination}
        noun="gates"
        onPage={(page) => void navigate({ search: (known) => ({ ...withoutPage(known), ...(page > 1 && { page }) }) })}
      />
      <CreateEntity
        hasTeam
        noun="gate"
        isOpen={isCreating}
        onClose={() => setCreating(false)}
        hasIDType
        create={async (body) => {
          const { data } = await call("createGate", { body });
          await invalidate("listGates");
          await navigate({ to: "/projects/$projectID/gates/$id", params: (params) => ({ ...params, id: data.id }) });
        }}
      >
        Off for everyone until you add a rule.
      </CreateEntity>
    </Page>
  );
}

function withoutPage<Search extends { page?: number }>({ page: _, ...search }: Search) {
  return search;
}

function sortDirection(sort: string | undefined, order: "asc" | "desc" | undefined): "ascending" | "descending" {
  return (order ?? (sort === "name" || sort === "status" ? "asc" : "desc")) === "asc" ? "ascending" : "descending";
}

function useColumns(environment: string | undefined): TableColumn<Gate>[] {
  const environments = useEnvironments();
  return useMemo(() => {
    return [
      {
        id: "name",
        name: "Name",
        width: "2fr",
        minWidth: 240,
        isRowHeader: true,
        allowsSorting: true,
        cell: ({ id, name }) => <NameCell id={id} name={name} />,
      },
      {
        id: "status",
        name: "Status",
        width: 130,
        allowsSorting: true,
        cell: ({ status }) => <Badge tone={STATUS_TONES[status]}>{STATUS_NAMES[status]}</Badge>,
      },
      ...environmentColumns<Gate>(environments, environment),
      {
        id: "use",
        name: "Use",
        width: 170,
        cell: ({ typeReason }) => (
          <span className={styles.cut} title={STALE_REASONS[typeReason]}>
            {typeReason === "NONE" ? <span className={styles.off}>In use</span> : <Badge tone="warn">{STALE_REASONS[typeReason]}</Badge>}
          </span>
        ),
      },
      { id: "tags", name: "Tags", width: "1fr", minWidth: 100, cell: ({ tags }) => tags.map((tag) => <Chip key={tag}>{tag}</Chip>) },
      {
        id: "lastModifiedTime",
        name: "Changed",
        width: 120,
        allowsSorting: true,
        cell: ({ lastModifiedTime }) => <Time time={lastModifiedTime} />,
      },
    ];
  }, [environments, environment]);
}
