import { useQuery } from "@tanstack/react-query";
import { Link, useMatches, useParams } from "@tanstack/react-router";
import { ArrowLeft, ChevronDown, Database, type LucideIcon, Settings } from "lucide-react";
import type { ReactNode } from "react";
import { query } from "../api.ts";
import { useAccount, useProject } from "../session/account.ts";
import { useKept } from "./kept.ts";
import styles from "./navigation.module.css";
import { findPlace, GROUPS, type GroupID, type ListedPlace, OUTSIDE, PLACES, personalPlaces } from "./places.ts";

const HOME = "/projects/$projectID";
const SETTINGS = "/projects/$projectID/settings";

/** The pages of the project, or of its settings while one of those is open. */
export function Navigation({ isOpen, onLeave }: { isOpen: boolean; onLeave: () => void }) {
  // The page that is shown, not the one that is about to be.
  const pathname = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? "" });
  const { person } = useAccount();
  const { permissions } = useProject();
  const usable = PLACES.filter(({ permission }) => permission === null || permissions[permission] === true);
  const current = findPlace(PLACES, pathname);
  const personal = personalPlaces(person);
  const isInSettings = current?.group === "settings" || findPlace(personal, pathname) !== undefined;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the links in it are pressed by keyboard, which also clicks them.
    <nav
      className={`${styles.nav} ${isOpen ? styles.open : ""}`}
      aria-label={isInSettings ? "Settings" : "Pages of the project"}
      onClick={({ target }) => target instanceof Element && target.closest("a") && onLeave()}
    >
      {isInSettings ? (
        <SettingsPlaces places={usable.filter(({ group }) => group === "settings")} personal={personal} />
      ) : (
        <ProjectPlaces usable={usable} current={current} />
      )}
    </nav>
  );
}

function SettingsPlaces({ places, personal }: { places: readonly ListedPlace[]; personal: ReturnType<typeof personalPlaces> }) {
  const { name } = useProject();
  return (
    <>
      <Place to={HOME} icon={ArrowLeft}>
        Back to <bdi>{name}</bdi>
      </Place>
      <h2 className={styles.heading}>Settings</h2>
      {[...places, ...personal].map(({ to, label, icon }) => (
        <Place key={to} to={to} icon={icon}>
          {label}
        </Place>
      ))}
    </>
  );
}

function ProjectPlaces({ usable, current }: { usable: readonly ListedPlace[]; current: ListedPlace | undefined }) {
  const placesIn = (group: ListedPlace["group"]) => usable.filter((place) => place.group === group);
  const hasData = useHasData(placesIn("data").length > 0);
  return (
    <>
      {placesIn(null).map(({ to, label, icon }) => (
        <Place key={to} to={to} icon={icon}>
          {label}
        </Place>
      ))}
      {(Object.keys(GROUPS) as GroupID[])
        .filter((group) => group !== "data" || hasData || current?.group === "data")
        .map((group) => (
          <Group key={group} id={group} places={placesIn(group)} current={current} />
        ))}
      <span className={styles.space} />
      {!hasData && placesIn("data").length > 0 && (
        <Place to={SETTINGS} search={{ tab: "warehouse" }} icon={Database}>
          Connect warehouse
        </Place>
      )}
      {placesIn("last").map(({ to, label, icon }) => (
        <Place key={to} to={to} icon={icon}>
          {label}
        </Place>
      ))}
      {OUTSIDE.map(({ href, label, icon: Icon }) => (
        <a key={href} href={href} className={styles.place}>
          <Icon aria-hidden="true" />
          {label}
        </a>
      ))}
      <Place to={SETTINGS} icon={Settings}>
        Settings
      </Place>
    </>
  );
}

/** Whether a warehouse is connected, from which the pages of data read. */
function useHasData(isUsable: boolean): boolean {
  const { data } = useQuery({ ...query("getWarehouseConnection"), enabled: isUsable });
  return data !== undefined && data.data.type !== null;
}

/** Its pages. A folded group shows only the page that is open. */
function Group({ id, places, current }: { id: GroupID; places: readonly ListedPlace[]; current: ListedPlace | undefined }) {
  const [isFolded, fold] = useFolded(id);
  const shown = isFolded ? places.filter(({ to }) => to === current?.to) : places;
  if (places.length === 0) return null;
  return (
    <section aria-label={GROUPS[id]} className={styles.group}>
      <button type="button" className={styles.heading} aria-expanded={!isFolded} onClick={() => fold(!isFolded)}>
        {GROUPS[id]}
        <ChevronDown aria-hidden="true" className={styles.chevron} />
      </button>
      {shown.map(({ to, label, icon }) => (
        <Place key={to} to={to} icon={icon}>
          {label}
        </Place>
      ))}
    </section>
  );
}

/** The choice is kept in this browser, for every project. */
function useFolded(id: GroupID): [boolean, (isFolded: boolean) => void] {
  const [kept, keep] = useKept(`gatehouse.folded.${id}`);
  return [kept === "yes", (isFolded) => keep(isFolded ? "yes" : "no")];
}

type PlaceProps = {
  to: ListedPlace["to"] | ReturnType<typeof personalPlaces>[number]["to"];
  search?: { tab: string };
  icon: LucideIcon;
  children: ReactNode;
};

function Place({ to, search, icon: Icon, children }: PlaceProps) {
  const { projectID } = useParams({ from: "/projects/$projectID" });
  return (
    <Link
      to={to}
      params={{ projectID }}
      search={search as never}
      // Every page of the project is below its home.
      activeOptions={{ exact: to === HOME, includeSearch: search !== undefined }}
      className={styles.place}
    >
      <Icon aria-hidden="true" />
      <span>{children}</span>
    </Link>
  );
}
