import { ChevronLeft, ChevronRight } from "lucide-react";
import type { Schema } from "../api.ts";
import { counted, exact } from "../charts/format.ts";
import { IconButton } from "../ui/button.tsx";
import styles from "./pager.module.css";

/** The shown part of a list, and links to the others. */
export function Pager({ pagination, noun, onPage }: { pagination: Schema<"Pagination">; noun: string; onPage: (page: number) => void }) {
  const { itemsPerPage, pageNumber, totalItems, nextPage } = pagination;
  const first = (pageNumber - 1) * itemsPerPage + 1;
  if (totalItems === 0) return null;
  return (
    <nav className={styles.pager} aria-label="Pages of the list">
      <span role="status">
        {totalItems <= itemsPerPage
          ? counted(totalItems, noun)
          : `${exact(first)} to ${exact(Math.min(first + itemsPerPage - 1, totalItems))} of ${counted(totalItems, noun)}`}
      </span>
      {totalItems > itemsPerPage && (
        <>
          <IconButton label="Previous page" isDisabled={pageNumber <= 1} onPress={() => onPage(pageNumber - 1)}>
            <ChevronLeft aria-hidden="true" />
          </IconButton>
          <IconButton label="Next page" isDisabled={nextPage === null} onPress={() => onPage(pageNumber + 1)}>
            <ChevronRight aria-hidden="true" />
          </IconButton>
        </>
      )}
    </nav>
  );
}
