import { ownerText } from "../targeting/owner-fields.ts";
import type { TableColumn } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";

type Timed = { createdTime: number };
type Teamed = Timed & { team?: string | null };
type Owned = Teamed & { owner?: object | null };

const CREATED: TableColumn<Timed> = {
  ...{ id: "createdTime", name: "Created", width: 120, isOptional: true, allowsSorting: true },
  cell: ({ createdTime }) => <Time time={createdTime} />,
};

/** Columns of entities with a team, shown once someone chooses them. */
export const TEAM_COLUMNS: readonly TableColumn<Teamed>[] = [
  { id: "team", name: "Team", width: 130, isOptional: true, cell: ({ team }) => <bdi>{team ?? ""}</bdi> },
  CREATED,
];

/** The same for entities that also have an owner. */
export const OWNER_COLUMNS: readonly TableColumn<Owned>[] = [
  { id: "owner", name: "Owner", width: 140, isOptional: true, cell: ({ owner }) => <bdi>{ownerText(owner)}</bdi> },
  ...TEAM_COLUMNS,
];
