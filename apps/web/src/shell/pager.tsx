import { ChevronLeft, ChevronRight } from "lucide-react";
import type { Schema } from "../api.ts";
import { IconButton } from "../ui/button.tsx";
import styles from "./pager.module.css";

/** Which part of a list is shown, and the way to the others. */
export function Pager({ pagination, noun, onPage }: { pagination: Schema<"Pagination">; noun: string; onPage: (page: number) => void }) {
  const { itemsPerPage, pageNumber, totalItems, nextPage } = pagination;
  const first = (pageNumber - 1) * itemsPerPage + 1;
  const count = new Intl.NumberFormat();
  if (totalItems === 0) return null;
  return (
    <nav className={styles.pager} aria-label="Pages of the list">
      <span role="status">
        {totalItems <= itemsPerPage
          ? `${count.format(totalItems)} ${noun}`
          : `${count.format(first)} to ${count.format(Math.min(first + itemsPerPage - 1, totalItems))} of ${count.format(totalItems)} ${noun}`}
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
