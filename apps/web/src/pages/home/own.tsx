import { useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Link } from "react-aria-components";
import { query } from "../../api.ts";
import { useAccount } from "../../session/account.ts";
import { EntityLink } from "../../shell/entity-link.tsx";
import { useFavorites } from "../../shell/favorites.ts";
import { Section } from "../../shell/page.tsx";
import { useVisited, type Visited } from "../../shell/visited.ts";
import { Time } from "../../ui/time.tsx";
import styles from "./home.module.css";
import { ownedBy, SHOWN } from "./requests.ts";

/** The entity pages that the reader marked as favorites in this browser. */
export function Favorites() {
  return <Pages title="Favorites" of={useFavorites()} />;
}

/** The entity pages that the reader opened last in this browser. */
export function RecentlyViewed() {
  const { projectID } = useParams({ from: "/projects/$projectID/" });
  return <Pages title="Recently viewed" of={useVisited(projectID)} />;
}

function Pages({ title, of }: { title: string; of: readonly Visited[] }) {
  if (of.length === 0) return null;
  return (
    <Section title={title}>
      <ul className={styles.list}>
        {of.map(({ path, name, noun }) => (
          <li key={path}>
            <span className={styles.name}>
              <Link href={path}>
                <bdi>{name}</bdi>
              </Link>
            </span>
            <span className={styles.soft}>{noun}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Gates, dynamic configs and experiments that the reader owns, the latest changes first. */
export function OwnedByReader() {
  const { person } = useAccount();
  const { data: gates } = useSuspenseQuery(query("listGates", ownedBy(person.id)));
  const { data: configs } = useSuspenseQuery(query("listDynamicConfigs", ownedBy(person.id)));
  const { data: experiments } = useSuspenseQuery(query("listExperiments", ownedBy(person.id)));
  const own = [
    ...gates.data.map(({ id, name, lastModifiedTime: time }) => ({ type: "gate", id, name, time })),
    ...configs.data.map(({ id, name, lastModifiedTime: time }) => ({ type: "dynamic_config", id, name, time })),
    ...experiments.data.map(({ id, name, lastModifiedTime: time }) => ({ type: "experiment", id, name, time })),
  ]
    .toSorted((a, b) => b.time - a.time)
    .slice(0, SHOWN);
  if (own.length === 0) return null;
  return (
    <Section title="Owned by you">
      <ul className={styles.list}>
        {own.map(({ type, id, name, time }) => (
          <li key={`${type} ${id}`}>
            <span className={styles.name}>
              <EntityLink type={type} id={id} name={name} />
            </span>
            <span className={styles.soft}>
              {type}, changed <Time time={time} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
