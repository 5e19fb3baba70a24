import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import type { SortDescriptor } from "react-aria-components";
import { query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { useRefusal } from "../../session/account.ts";
import { Page } from "../../shell/page.tsx";
import { useOfferActions } from "../../shell/page-actions.ts";
import { Pager } from "../../shell/pager.tsx";
import { useTypedText } from "../../shell/typed-text.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { SearchField } from "../../ui/field.tsx";
import { Empty } from "../../ui/notice.tsx";
import { Table, type TableColumn } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { CreateKey } from "./create.tsx";
import { describeLimits, describePower, type Key, keyState, TYPE_NAMES } from "./key-words.ts";
import styles from "./keys.module.css";
import { keyListRequest, SORTS, STATUSES } from "./list-search.ts";

const FROM = "/projects/$projectID/keys";
const ANY = "any";
const STATUS_NAMES = { active: "Active", deactivated: "Deactivated" } as const;

export default function KeyListPage() {
  const refusal = useRefusal()("read_keys");
  if (refusal === undefined) return <KeyList />;
  return (
    <Page title="Keys">
      <Empty title="You can’t view keys">{refusal}</Empty>
    </Page>
  );
}

function KeyList() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { buildLocation } = useRouter();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const { data: answer } = useSuspenseQuery(query("listKeys", keyListRequest(search)));
  const [isCreating, setCreating] = useState(false);
  const refusal = useRefusal()("manage_keys");
  useOfferActions(
    useMemo(
      () => (refusal === undefined ? [{ id: "create", label: "Create a key", shortcut: "c", run: () => setCreating(true) }] : []),
      [refusal],
    ),
  );
  const create = (
    <Button look="primary" onPress={() => setCreating(true)} disabledReason={refusal}>
      <Plus aria-hidden="true" />
      Create key
    </Button>
  );
  const isFiltered = search.search !== undefined || search.status !== undefined;
  const sort: SortDescriptor = { column: search.sort ?? "createdTime", direction: search.order === "asc" ? "ascending" : "descending" };
  return (
    <Page title="Keys" actions={create}>
      <KeyFilters />
      <Table
        label="Keys"
        columns={COLUMNS}
        items={answer.data}
        getID={({ id }) => id}
        href={({ id }) => buildLocation({ to: "/projects/$projectID/keys/$id", params: { projectID, id } }).href}
        sort={sort}
        onSort={({ column, direction }) =>
          void navigate({
            search: ({ page: _, ...known }) => ({
              ...known,
              sort: SORTS.find((one) => one === column),
              order: direction === "ascending" ? "asc" : "desc",
            }),
          })
        }
        empty={
          isFiltered ? (
            <Empty title="No matching keys" action={<Button onPress={() => void navigate({ search: {} })}>Clear filters</Button>} />
          ) : (
            <Empty title="No keys yet" action={create}>
              Create a key to read flags in your app or to manage the project from scripts.
            </Empty>
          )
        }
      />
      <Pager
        pagination={answer.pagination}
        noun="keys"
        onPage={(page) => void navigate({ search: ({ page: _, ...known }) => ({ ...known, ...(page > 1 && { page }) }) })}
      />
      {isCreating && <CreateKey onClose={() => setCreating(false)} />}
    </Page>
  );
}

function KeyFilters() {
  const { search, status } = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const choose = (change: object) => void navigate({ search: ({ page: _, ...others }) => ({ ...others, ...change }), replace: true });
  const [text, setText] = useTypedText(search ?? "", (typed) => choose({ search: typed === "" ? undefined : typed }));
  return (
    <search className={styles.filters} aria-label="Filters">
      <SearchField label="Search keys" placeholder="Search by description or ID" value={text} onChange={setText} />
      <Select
        label="Status"
        isLabelHidden
        options={[{ id: ANY, label: "Any status" }, ...STATUSES.map((id) => ({ id, label: STATUS_NAMES[id] }))]}
        value={status ?? ANY}
        onChange={(id) => choose({ status: id === ANY ? undefined : id })}
      />
    </search>
  );
}

const COLUMNS: TableColumn<Key>[] = [
  {
    id: "description",
    name: "Key",
    width: "2fr",
    minWidth: 180,
    isRowHeader: true,
    cell: ({ description, hint, id }) => (
      <span className={styles.name}>
        <bdi title={description}>{description || "Without a description"}</bdi>
        <code title={id}>{hint ?? id}</code>
      </span>
    ),
  },
  { id: "type", name: "Type", width: 90, cell: ({ type }) => TYPE_NAMES[type] },
  {
    id: "power",
    name: "Permissions",
    width: "2fr",
    minWidth: 160,
    cell: (key) => (
      <span className={styles.cut} title={describePower(key)}>
        {describePower(key)}
      </span>
    ),
  },
  {
    id: "limits",
    name: "Limited to",
    width: "1fr",
    minWidth: 120,
    cell: (key) => (
      <span className={styles.cut} title={describeLimits(key)}>
        <bdi>{describeLimits(key)}</bdi>
      </span>
    ),
  },
  { id: "status", name: "Status", width: 130, allowsSorting: true, cell: (key) => <StateBadge of={key} /> },
  {
    id: "lastUsed",
    name: "Last used",
    width: 120,
    cell: ({ lastUsed }) => (lastUsed === null ? <span className={entity.soft}>Never</span> : <Time time={Date.parse(lastUsed)} />),
  },
  {
    id: "expiresTime",
    name: "Expires",
    width: 120,
    cell: ({ expiresTime }) => (expiresTime === null ? <span className={entity.soft}>Never</span> : <Time time={expiresTime} />),
  },
];

export function StateBadge({ of: key }: { of: Key }) {
  const { text, tone } = keyState(key, Date.now());
  return <Badge tone={tone}>{text}</Badge>;
}
