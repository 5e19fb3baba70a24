import { memo, type ReactNode, Suspense, useCallback, useRef } from "react";
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from "react-aria-components";
import { type Live, useLive, useLiveValue } from "./live.ts";
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
  const contents = useLive<Contents>(new Map(tabs.map(({ id, content }) => [id, content])));
  return <Frame label={label} heads={useSameHeads(tabs)} selected={selected} onSelect={select} contents={contents} />;
}

type FrameProps = { label: string; heads: readonly Head[]; selected: string; onSelect: (id: string) => void; contents: Live<Contents> };

const Frame = memo(function Frame({ label, heads, selected, onSelect, contents }: FrameProps) {
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
            <Panel id={id} contents={contents} />
          </Suspense>
        </TabPanel>
      ))}
    </AriaTabs>
  );
});

function Panel({ id, contents }: { id: string; contents: Live<Contents> }) {
  return useLiveValue(contents, (all) => all.get(id))?.();
}

/** The heads, the same list as before as long as they say the same. */
function useSameHeads(tabs: readonly Head[]): readonly Head[] {
  const known = useRef<readonly Head[]>([]);
  const heads = tabs.map(({ id, label, hint }, index) => sameAs(known.current[index], { id, label, hint }));
  known.current = sameAs(known.current, heads);
  return known.current;
}
