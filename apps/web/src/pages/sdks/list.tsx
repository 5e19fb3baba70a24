import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { query, type Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { useListFilter } from "../../entity/list-filters.tsx";
import { useRefusal } from "../../session/account.ts";
import { Page } from "../../shell/page.tsx";
import { Pager } from "../../shell/pager.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { Empty } from "../../ui/notice.tsx";
import { formatNumber } from "../../ui/number-text.ts";
import { Table, type TableColumn } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { describeAllErrors } from "./sdk-words.ts";
import styles from "./sdks.module.css";
import { sdkRequest } from "./search.ts";

const FROM = "/projects/$projectID/sdks";
const ANY = "any";
/** Running applications report all the time. */
const REFRESH_MS = 5_000;

export default function SdkPage() {
  const refusal = useRefusal()("read_keys");
  if (refusal === undefined) return <SdkList />;
  return (
    <Page title="SDKs">
      <Empty title="You can’t view SDKs">{refusal}</Empty>
    </Page>
  );
}

/** The SDKs that applications use, with their versions, keys and errors. */
function SdkList() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { projectID } = useParams({ from: FROM });
  const { buildLocation } = useRouter();
  const { data } = useSuspenseQuery({ ...query("listSDKs", sdkRequest(search)), refetchInterval: REFRESH_MS });
  const isFiltered = search.keyID !== undefined || search.environment !== undefined;
  const clear = () => void navigate({ search: { keyID: undefined, environment: undefined } });
  return (
    <Page title="SDKs">
      <p className={entity.soft}>SDKs that sent requests in the last 30 days. Requests and errors are from the last 7 days in UTC.</p>
      <SdkFilters />
      <Table
        label="SDKs"
        columns={COLUMNS}
        items={data.data}
        getID={({ sdk, version, keyID }) => `${keyID} ${sdk} ${version}`}
        href={({ keyID: id, keyType }) =>
          keyType === null
            ? buildLocation({ to: "/projects/$projectID/keys", params: { projectID } }).href
            : buildLocation({ to: "/projects/$projectID/keys/$id", params: { projectID, id } }).href
        }
        empty={
          isFiltered ? (
            <Empty title="No matching SDKs" action={<Button onPress={clear}>Clear filters</Button>} />
          ) : (
            <Empty
              title="No SDKs yet"
              action={
                <Link to="/projects/$projectID/start" params={{ projectID }}>
                  Connect an SDK
                </Link>
              }
            >
              SDKs appear within seconds of their first request.
            </Empty>
          )
        }
      />
      <Pager
        pagination={data.pagination}
        noun="SDKs"
        onPage={(page) => void navigate({ search: ({ page: _, ...known }) => ({ ...known, ...(page > 1 && { page }) }) })}
      />
    </Page>
  );
}

function SdkFilters() {
  const { keyID } = useSearch({ from: FROM });
  const filter = useListFilter();
  const { data: keys } = useQuery(query("listKeys", { query: { limit: 1000 } }));
  return (
    <search className={styles.filters} aria-label="Filters">
      <Select
        label="Key"
        isLabelHidden
        options={[
          { id: ANY, label: "Any key" },
          ...(keys?.data ?? []).map(({ id, description, hint }) => ({ id: `=${id}`, label: description || (hint ?? id) })),
        ]}
        value={keyID === undefined ? ANY : `=${keyID}`}
        onChange={(id) => filter({ keyID: id === ANY ? undefined : id.slice(1) })}
      />
    </search>
  );
}

type Sdk = Schema<"ReportingSDK">;

const COLUMNS: TableColumn<Sdk>[] = [
  { id: "sdk", name: "SDK", width: "2fr", minWidth: 160, isRowHeader: true, cell: ({ sdk }) => <bdi>{sdk}</bdi> },
  {
    id: "version",
    name: "Version",
    width: "2fr",
    minWidth: 290,
    cell: ({ version, newerVersion }) => (
      <span className={styles.version}>
        {version === null ? <span className={entity.soft}>Unknown</span> : <bdi>{version}</bdi>}
        {newerVersion !== null && (
          <Badge tone="warn">
            Newer version in use: <bdi>{newerVersion}</bdi>
          </Badge>
        )}
      </span>
    ),
  },
  {
    id: "key",
    name: "Key",
    width: "2fr",
    minWidth: 140,
    cell: ({ keyID, keyDescription, keyType }) => (
      <span className={styles.cut} title={keyDescription || keyID}>
        {keyType === null ? <span className={entity.soft}>Deleted key</span> : <bdi>{keyDescription || keyID}</bdi>}
      </span>
    ),
  },
  {
    id: "environments",
    name: "Environments",
    width: "1fr",
    minWidth: 120,
    cell: ({ environments, keyType }) => {
      if (keyType === null) return null;
      const text = environments.length === 0 ? "All" : environments.join(", ");
      return (
        <span className={styles.cut} title={text}>
          <bdi>{text}</bdi>
        </span>
      );
    },
  },
  { id: "requests", name: "Requests", width: 110, cell: ({ requests }) => formatNumber(requests) },
  {
    id: "errors",
    name: "Errors",
    width: "2fr",
    minWidth: 180,
    cell: ({ errors }) =>
      errors.length === 0 ? (
        <span className={entity.soft}>None</span>
      ) : (
        <span className={styles.cut} title={describeAllErrors(errors)}>
          <bdi>{describeAllErrors(errors)}</bdi>
        </span>
      ),
  },
  { id: "lastSeenTime", name: "Last seen", width: 130, cell: ({ lastSeenTime }) => <Time time={lastSeenTime} /> },
];
