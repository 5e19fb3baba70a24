import { createContext, memo, type ReactNode, Suspense, useCallback, useContext, useRef } from "react";
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from "react-aria-components";
import { Loading } from "./notice.tsx";
import { sameAs } from "./same-as.ts";
import styles from "./tabs.module.css";

export type TabItem<ID extends string> = {
  id: ID;
  label: string;
  /** Behind the label, such as a number. */
  hint?: ReactNode;
  content: () => ReactNode;
};

type Content = () => ReactNode;
type Contents = ReadonlyMap<string, Content>;
type Head = Omit<TabItem<string>, "content">;

/** The content of each tab. Panels read it by themselves, and React looks no deeper than them for its readers. */
const ContentsContext = createContext<Contents>(new Map());

/**
 * Tabs whose choice the page keeps in its address. The library's tabs are drawn again only if the tabs themselves change: their contexts would
 * otherwise change with each key that is typed into a tab.
 */
export function Tabs<ID extends string>({
  label,
  tabs,
  selected,
  onSelect,
}: {
  label: string;
  tabs: readonly TabItem<ID>[];
  selected: ID;
  onSelect: (id: ID) => void;
}) {
  const latest = useRef(onSelect);
  latest.current = onSelect;
  const select = useCallback((id: string) => latest.current(id as ID), []);
  return (
    <ContentsContext value={new Map(tabs.map(({ id, content }) => [id, content]))}>
      <Frame label={label} heads={useSameHeads(tabs)} selected={selected} onSelect={select} />
    </ContentsContext>
  );
}

type FrameProps = { label: string; heads: readonly Head[]; selected: string; onSelect: (id: string) => void };

const Frame = memo(function Frame({ label, heads, selected, onSelect }: FrameProps) {
  return (
    <AriaTabs className={styles.tabs ?? ""} selectedKey={selected} onSelectionChange={(key) => onSelect(String(key))}>
      <TabList aria-label={label} className={styles.list ?? ""}>
        {heads.map(({ id, label: text, hint }) => (
          <Tab key={id} id={id} className={styles.tab ?? ""}>
            {text}
            {hint !== undefined && <span className={styles.hint}>{hint}</span>}
          </Tab>
        ))}
      </TabList>
      {heads.map(({ id }) => (
        <TabPanel key={id} id={id} className={styles.panel ?? ""}>
          <Suspense fallback={<Loading />}>
            <Panel id={id} />
          </Suspense>
        </TabPanel>
      ))}
    </AriaTabs>
  );
});

function Panel({ id }: { id: string }) {
  return useContext(ContentsContext).get(id)?.();
}

/** The heads, the same list as before as long as they say the same. */
function useSameHeads(tabs: readonly Head[]): readonly Head[] {
  const known = useRef<readonly Head[]>([]);
  const heads = tabs.map(({ id, label, hint }, index) => sameAs(known.current[index], { id, label, hint }));
  known.current = sameAs(known.current, heads);
  return known.current;
}
