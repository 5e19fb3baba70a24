import { ownerText } from "../targeting/owner-fields.ts";
import type { TableColumn } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";

type Timed = { createdTime: number };
type Owned = Timed & { team?: string | null; owner?: object | null };

const CREATED: TableColumn<Timed> = {
  ...{ id: "createdTime", name: "Created", width: 120, isOptional: true, allowsSorting: true },
  cell: ({ createdTime }) => <Time time={createdTime} />,
};

/** Columns of entities with an owner and a team, shown once someone chooses them. */
export const OWNER_COLUMNS: readonly TableColumn<Owned>[] = [
  { id: "owner", name: "Owner", width: 140, isOptional: true, cell: ({ owner }) => <bdi>{ownerText(owner)}</bdi> },
  { id: "team", name: "Team", width: 130, isOptional: true, cell: ({ team }) => <bdi>{team ?? ""}</bdi> },
  CREATED,
];
