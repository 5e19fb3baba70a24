import { type ReactNode, Suspense } from "react";
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from "react-aria-components";
import { Loading } from "./notice.tsx";
import styles from "./tabs.module.css";

export type TabItem<ID extends string> = {
  id: ID;
  label: string;
  /** Behind the label, such as a number. */
  hint?: ReactNode;
  content: () => ReactNode;
};

/** Tabs whose choice the page keeps in its address. */
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
  return (
    <AriaTabs className={styles.tabs ?? ""} selectedKey={selected} onSelectionChange={(key) => onSelect(key as ID)}>
      <TabList aria-label={label} className={styles.list ?? ""}>
        {tabs.map(({ id, label: text, hint }) => (
          <Tab key={id} id={id} className={styles.tab ?? ""}>
            {text}
            {hint !== undefined && <span className={styles.hint}>{hint}</span>}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className={styles.panel ?? ""}>
          <Suspense fallback={<Loading />}>{content()}</Suspense>
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
