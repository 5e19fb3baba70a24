import { useNavigate, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import type { Schema } from "../api.ts";
import { useAsked } from "../shell/asked.ts";
import { Page } from "../shell/page.tsx";
import { useOfferActions } from "../shell/page-actions.ts";
import { Pager } from "../shell/pager.tsx";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/notice.tsx";
import { Table, type TableColumn } from "../ui/table.tsx";
import { toast } from "../ui/toast.tsx";
import styles from "./entity.module.css";
import { useListFilter } from "./list-filters.tsx";
import { isFiltered, type ListSearch } from "./list-search.ts";
import { type ColumnChoice, isShown } from "./list-settings.ts";
import { ListTools } from "./list-tools.tsx";
import { useListSettings } from "./use-list-settings.ts";

type Props<Item> = {
  /** Singular and plural of the listed entities: gate, gates. */
  noun: string;
  nouns: string;
  title: string;
  answer: { data: Item[]; pagination: Schema<"Pagination"> };
  columns: readonly TableColumn<Item>[];
  getID: (item: Item) => string;
  /** The address of an entity. */
  href: (item: Item) => string;
  filters: ReactNode;
  /** Between the filters and the rows, such as actions on the selected ones. */
  above?: ReactNode;
  /** Other actions on the list, shown before its Create button. */
  actions?: ReactNode;
  /** Why the reader cannot create one; undefined if they can. */
  disabledReason: string | undefined;
  /** The dialog that creates one. */
  create: (isOpen: boolean, onClose: () => void) => ReactNode;
  /** Purpose of such an entity, shown while the list is empty. */
  purpose: ReactNode;
  /** Note on entities that the search leaves out. */
  leftOut?: ReactNode;
  /** The order without one in the address. */
  usualSort?: string;
  /** The selected rows, in lists with actions on several. */
  selected?: ReadonlySet<string>;
  onSelect?: (selected: ReadonlySet<string>) => void;
};

/** A list: search, order and page in the address, and a dialog that creates one more. */
export function EntityList<Item extends object>(props: Props<Item>) {
  const {
    noun,
    nouns,
    title,
    answer,
    columns,
    getID,
    href,
    filters,
    above,
    actions,
    disabledReason,
    create,
    purpose,
    leftOut,
    usualSort,
    selected,
    onSelect,
  } = props;
  const search = useSearch({ strict: false }) as ListSearch;
  const navigate = useNavigate();
  const filter = useListFilter();
  const [isCreating, setCreating] = useState(false);
  const [settings, keep] = useListSettings(nouns);
  const shown = useShownColumns(columns, settings.columns);
  const open = () => setCreating(true);
  useAsked((what) => {
    if (what !== "create") return;
    if (disabledReason === undefined) open();
    else toast({ text: disabledReason });
  });
  useOfferActions(
    useMemo(
      () =>
        disabledReason === undefined
          ? [{ id: "create", label: `Create ${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`, shortcut: "c", run: () => setCreating(true) }]
          : [],
      [noun, disabledReason],
    ),
  );
  const sort = search.sort ?? usualSort;
  const button = (
    <Button look="primary" onPress={open} disabledReason={disabledReason}>
      <Plus aria-hidden="true" />
      Create {noun}
    </Button>
  );
  return (
    <Page
      title={title}
      actions={
        <>
          {actions}
          {button}
        </>
      }
    >
      <div className={styles.listHead}>
        {filters}
        <ListTools columns={columns} settings={settings} onChange={keep} />
      </div>
      {above}
      <Table
        label={title}
        columns={shown}
        items={answer.data}
        getID={getID}
        href={href}
        {...(sort !== undefined && {
          sort: { column: sort, direction: sortDirection(sort, search.order) },
          onSort: ({ column, direction }) => filter({ sort: column, order: direction === "ascending" ? "asc" : "desc" }),
        })}
        {...(selected !== undefined && { selected })}
        {...(onSelect && { onSelect })}
        empty={
          isFiltered(search) ? (
            <Empty
              title={`No matching ${nouns}`}
              action={<Button onPress={() => void navigate({ to: ".", search: {} as never })}>Clear filters</Button>}
            >
              {leftOut}
            </Empty>
          ) : (
            <Empty title={`No ${nouns} yet`} action={button}>
              {purpose}
            </Empty>
          )
        }
      />
      <Pager
        pagination={answer.pagination}
        noun={nouns}
        onPage={(page) => void navigate({ to: ".", search: (known: object) => ({ ...known, page: page > 1 ? page : undefined }) as never })}
      />
      {create(isCreating, () => setCreating(false))}
    </Page>
  );
}

/** Names begin with A, times with the latest. */
const sortDirection = (sort: string, order: "asc" | "desc" | undefined): "ascending" | "descending" =>
  (order ?? (sort.endsWith("Time") ? "desc" : "asc")) === "asc" ? "ascending" : "descending";

/** The same array as long as the same columns are shown, since a table renders its rows again for another one. */
function useShownColumns<Item>(columns: readonly TableColumn<Item>[], choice: ColumnChoice): readonly TableColumn<Item>[] {
  const ids = columns.filter((column) => isShown(column, choice)).map(({ id }) => id);
  const key = JSON.stringify(ids);
  return useMemo(() => {
    const shown = new Set(JSON.parse(key) as string[]);
    return columns.filter(({ id }) => shown.has(id));
  }, [columns, key]);
}
