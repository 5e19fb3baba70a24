// A table that may have many rows: only the visible ones are in the page.

import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import {
  Table as AriaTable,
  Cell,
  Column,
  Link,
  Row,
  type SortDescriptor,
  TableBody,
  TableHeader,
  TableLayout,
  Virtualizer,
} from "react-aria-components";
import { Checkbox } from "./field.tsx";
import styles from "./table.module.css";

export type TableColumn<Item> = {
  id: string;
  name: string;
  /** In pixels, or a share of the remaining width such as `2fr`. */
  width?: number | `${number}fr`;
  minWidth?: number;
  isRowHeader?: boolean;
  allowsSorting?: boolean;
  /** Hidden until someone chooses it. */
  isOptional?: boolean;
  cell: (item: Item) => ReactNode;
};

type Props<Item> = {
  label: string;
  columns: readonly TableColumn<Item>[];
  items: readonly Item[];
  getID: (item: Item) => string;
  /** The address that a row leads to. */
  href: (item: Item) => string;
  sort?: SortDescriptor;
  onSort?: (sort: SortDescriptor) => void;
  /** The ids of the selected rows, which may also be of rows that are not listed now. */
  selected?: ReadonlySet<string>;
  onSelect?: (selected: ReadonlySet<string>) => void;
  empty: ReactNode;
};

const ROW_PX = 44;
const HEADING_PX = 34;
const SELECTION_PX = 40;

export function Table<Item extends object>({ label, columns, items, getID, href, sort, onSort, selected, onSelect, empty }: Props<Item>) {
  const isSelecting = selected !== undefined;
  return (
    <Virtualizer layout={TableLayout} layoutOptions={{ rowHeight: ROW_PX, headingHeight: HEADING_PX }}>
      <AriaTable
        aria-label={label}
        className={styles.table ?? ""}
        selectionMode={isSelecting ? "multiple" : "none"}
        {...(isSelecting && {
          selectedKeys: selected,
          // "all" would also select the rows of a later search.
          onSelectionChange: (keys) => onSelect?.(new Set(keys === "all" ? items.map(getID) : [...keys].map(String))),
        })}
        {...(sort && { sortDescriptor: sort })}
        {...(onSort && { onSortChange: onSort })}
      >
        <TableHeader>
          {isSelecting && (
            <Column width={SELECTION_PX} minWidth={SELECTION_PX} className={styles.column ?? ""}>
              <Checkbox slot="selection" aria-label="Select all" />
            </Column>
          )}
          {columns.map(({ id, name, width, minWidth, isRowHeader, allowsSorting }) => (
            <Column
              key={id}
              id={id}
              className={styles.column ?? ""}
              {...(width !== undefined && { width })}
              {...(minWidth !== undefined && { minWidth })}
              isRowHeader={isRowHeader ?? false}
              allowsSorting={allowsSorting ?? false}
              textValue={name}
            >
              {({ sortDirection }) => (
                <>
                  <bdi>{name}</bdi>
                  {sortDirection === "ascending" && <ArrowUp aria-hidden="true" />}
                  {sortDirection === "descending" && <ArrowDown aria-hidden="true" />}
                </>
              )}
            </Column>
          ))}
        </TableHeader>
        <TableBody items={items} dependencies={[columns]} renderEmptyState={() => empty}>
          {(item: Item) => (
            <Row id={getID(item)} href={href(item)} className={styles.row ?? ""}>
              {isSelecting && (
                <Cell className={styles.cell ?? ""}>
                  <Checkbox slot="selection" />
                </Cell>
              )}
              {columns.map(({ id, isRowHeader, cell }) => (
                <Cell key={id} className={styles.cell ?? ""}>
                  {isRowHeader ? (
                    // The browser can open a real link in another tab.
                    <Link href={href(item)} className={styles.link ?? ""}>
                      {cell(item)}
                    </Link>
                  ) : (
                    cell(item)
                  )}
                </Cell>
              ))}
            </Row>
          )}
        </TableBody>
      </AriaTable>
    </Virtualizer>
  );
}
