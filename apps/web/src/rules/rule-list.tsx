import { type ComponentProps, createContext, memo, useContext, useMemo, useRef } from "react";
import { GridList, GridListItem, useDragAndDrop } from "react-aria-components";
import { equal } from "../targeting/equal.ts";
import { moveRules, type RuleItem } from "../targeting/rule-draft.ts";
import { sameAs } from "../ui/same-as.ts";
import type { EditRules } from "./edits.ts";
import { RuleCard } from "./rule-card.tsx";
import styles from "./rules.module.css";

type CardProps = ComponentProps<typeof RuleCard>;
type Cards = ReadonlyMap<string, CardProps>;
type Row = { readonly key: string; readonly name: string; readonly isOff: boolean };

/** The content of each row, by its key. Rows read it by themselves, so that an edit of one rule leaves the list and the other rows as they are. */
const CardsContext = createContext<Cards>(new Map());

type Props = { items: readonly RuleItem[]; cards: Cards; edit: EditRules; isReadOnly: boolean };

/** The list of the rules, which move by mouse and by keyboard. Drawing a hundred rows takes longer than a frame, so a key draws only its rule. */
export function RuleList({ items, cards, edit, isReadOnly }: Props) {
  const rows = useSameRows(
    items.map(({ key, rule }) => ({ key, name: rule.name || "Rule without a name", isOff: rule.isEnabled === false })),
    (key) => cards.get(key)?.isOpen === true,
  );
  return (
    <CardsContext value={useSameCards(cards)}>
      <Rows rows={rows} edit={edit} isReadOnly={isReadOnly} />
    </CardsContext>
  );
}

type RowsProps = { rows: readonly Row[]; edit: EditRules; isReadOnly: boolean };

const Rows = memo(function Rows({ rows, edit, isReadOnly }: RowsProps) {
  const latest = useRef(rows);
  latest.current = rows;
  const { dragAndDropHooks } = useDragAndDrop(
    useMemo(
      () => ({
        getItems: (keys) => [...keys].map((key) => ({ "text/plain": latest.current.find((row) => row.key === key)?.name ?? "" })),
        onReorder: ({ keys, target: { key, dropPosition } }) => {
          if (dropPosition !== "on") edit((draft) => moveRules(draft, [...keys].map(String), String(key), dropPosition));
        },
      }),
      [edit],
    ),
  );
  return (
    <GridList
      aria-label="Rules"
      className={styles.list ?? ""}
      // A list whose rules can be moved needs a handle in each, so it is another list than one that is only read.
      key={isReadOnly ? "read" : "edit"}
      {...(!isReadOnly && { dragAndDropHooks })}
      keyboardNavigationBehavior="tab"
      selectionMode="none"
      // The list draws only the rows whose objects are new.
      items={rows}
    >
      {({ key, name, isOff }) => (
        <GridListItem id={key} textValue={name} className={`${styles.item} ${isOff ? styles.off : ""}`}>
          <Card id={key} />
        </GridListItem>
      )}
    </GridList>
  );
});

function Card({ id }: { id: string }) {
  const card = useContext(CardsContext).get(id);
  return card && <RuleCard {...card} />;
}

/** The cards, each the same object as before as long as its rule is drawn the same. */
function useSameCards(cards: Cards): Cards {
  const known = useRef(cards);
  const same = new Map([...cards].map(([key, card]) => [key, sameAs(known.current.get(key), card)]));
  known.current = same;
  return same;
}

/**
 * The rows, each the same object as before as long as it says the same. A row keeps its name while its rule is open: another name draws the whole
 * list, which would take longer than a frame for each key of a name that is typed.
 */
function useSameRows(rows: readonly Row[], isOpen: (key: string) => boolean): readonly Row[] {
  const known = useRef(rows);
  const before = new Map(known.current.map((row) => [row.key, row]));
  const named = rows.map((row) => (isOpen(row.key) ? { ...row, name: before.get(row.key)?.name ?? row.name } : row));
  if (!equal(known.current, named))
    known.current = named.map((row) => (equal(before.get(row.key), row) ? (before.get(row.key) ?? row) : row));
  return known.current;
}
