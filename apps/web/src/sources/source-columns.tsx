import { OWNER_COLUMNS } from "../entity/common-columns.tsx";
import { NameCell } from "../entity/name-cell.tsx";
import { Badge, Chip } from "../ui/badge.tsx";
import type { TableColumn } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import type { Source } from "./source-page.tsx";

/** The columns of a list of sources. @param own those of its kind, after the name */
export const sourceColumns = <Entity extends Source>(own: readonly TableColumn<Entity>[] = []): TableColumn<Entity>[] => [
  {
    id: "name",
    name: "Name",
    width: "2fr",
    minWidth: 160,
    isRowHeader: true,
    allowsSorting: true,
    cell: ({ name, isVerified }) => (
      <>
        <NameCell id={name} name={name} /> {isVerified && <Badge tone="good">Verified</Badge>}
      </>
    ),
  },
  ...own,
  {
    id: "units",
    name: "Units",
    width: "1fr",
    minWidth: 100,
    cell: ({ idTypeMapping }) => idTypeMapping.map(({ serviceUnitID }) => serviceUnitID).join(", "),
  },
  { id: "tags", name: "Tags", width: "1fr", minWidth: 90, cell: ({ tags }) => tags.map((tag) => <Chip key={tag}>{tag}</Chip>) },
  ...OWNER_COLUMNS,
  {
    id: "lastModifiedTime",
    name: "Changed",
    width: 120,
    allowsSorting: true,
    cell: ({ lastModifiedTime }) => <Time time={lastModifiedTime} />,
  },
];

/** The origin of a source's rows. */
export const originColumn = <Entity extends Source & { sourceType: "table" | "query"; tableName: string }>(): TableColumn<Entity> => ({
  id: "rows",
  name: "Rows come from",
  width: "2fr",
  minWidth: 140,
  cell: ({ sourceType, tableName, sql }) => (sourceType === "table" ? <code>{tableName}</code> : <span title={sql}>A query</span>),
});
