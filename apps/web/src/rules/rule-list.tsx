import { type ComponentProps, createContext, memo, useContext, useDeferredValue, useMemo, useRef } from "react";
import { GridList, GridListItem, useDragAndDrop } from "react-aria-components";
import { equal } from "../targeting/equal.ts";
import { moveRules, type RuleItem } from "../targeting/rule-draft.ts";
import type { EditRules } from "./edits.ts";
import { RuleCard } from "./rule-card.tsx";
import styles from "./rules.module.css";

type Cards = ReadonlyMap<string, ComponentProps<typeof RuleCard>>;
type Row = { readonly key: string; readonly name: string; readonly isOff: boolean };

/** What each row shows, by its key. Rows read it by themselves, so that an edit of one rule leaves the list and the other rows as they are. */
const CardsContext = createContext<Cards>(new Map());

type Props = { items: readonly RuleItem[]; cards: Cards; edit: EditRules; isReadOnly: boolean };

/** The list of the rules, which move by mouse and by keyboard. Drawing a hundred rows takes longer than a frame, so a key draws only its rule. */
export function RuleList({ items, cards, edit, isReadOnly }: Props) {
  const rows = useSame(
    items.map(({ key, rule }): Row => ({ key, name: rule.name || "Rule without a name", isOff: rule.isEnabled === false })),
  );
  // While somebody types a name, its row is called by it a moment later.
  const deferred = useDeferredValue(rows);
  return (
    <CardsContext value={cards}>
      <Rows rows={equal(keysOf(deferred), keysOf(rows)) ? deferred : rows} edit={edit} isReadOnly={isReadOnly} />
    </CardsContext>
  );
}

const keysOf = (rows: readonly Row[]) => rows.map(({ key, isOff }) => `${key} ${isOff}`);

const Rows = memo(function Rows({ rows, edit, isReadOnly }: { rows: readonly Row[]; edit: EditRules; isReadOnly: boolean }) {
  const { dragAndDropHooks } = useDragAndDrop(
    useMemo(
      () => ({
        getItems: (keys) => [...keys].map((key) => ({ "text/plain": rows.find((row) => row.key === key)?.name ?? "" })),
        onReorder: ({ keys, target: { key, dropPosition } }) => {
          if (dropPosition !== "on") edit((draft) => moveRules(draft, [...keys].map(String), String(key), dropPosition));
        },
      }),
      [rows, edit],
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
    >
      {rows.map(({ key, name, isOff }) => (
        <GridListItem key={key} id={key} textValue={name} className={`${styles.item} ${isOff ? styles.off : ""}`}>
          <Card id={key} />
        </GridListItem>
      ))}
    </GridList>
  );
});

function Card({ id }: { id: string }) {
  const card = useContext(CardsContext).get(id);
  return card && <RuleCard {...card} />;
}

/** The value before, as long as the new one equals it. */
function useSame<Value>(value: Value): Value {
  const known = useRef(value);
  if (!equal(known.current, value)) known.current = value;
  return known.current;
}
