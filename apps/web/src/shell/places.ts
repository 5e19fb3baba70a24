import { Activity, CodeXml, House, Rocket, ScrollText, Settings } from "lucide-react";
import { dataKinds } from "../kinds/data-kinds.ts";
import type { Place, WebKind } from "../kinds/kind.ts";
import { projectKinds } from "../kinds/project-kinds.ts";
import { targetingKinds } from "../kinds/targeting-kinds.ts";

type PlaceIn<Group> = Extract<Group[keyof Group], { place: Place }>["place"];

/** The lists of kinds, in the order of their register. */
const listRoutes = <Group extends Readonly<Record<string, WebKind>>>(group: Group) =>
  Object.values(group).flatMap(({ place }) => (place === null ? [] : [toRoute(place as PlaceIn<Group>)]));

const toRoute = <Listed extends Place>({ path, ...place }: Listed) => ({
  ...place,
  to: `/projects/$projectID/${path}` as `/projects/$projectID/${Listed["path"]}`,
});

/** The pages of a project, in the order of the navigation. The command palette also offers them. */
export const PLACES = [
  { to: "/projects/$projectID", label: "Home", icon: House, shortcut: "g h" },
  ...listRoutes(targetingKinds),
  { to: "/projects/$projectID/events", label: "Events", icon: Activity, shortcut: "g e" },
  ...listRoutes(dataKinds),
  ...listRoutes(projectKinds),
  { to: "/projects/$projectID/audit-log", label: "Audit log", icon: ScrollText, shortcut: "g a" },
  { to: "/projects/$projectID/settings", label: "Settings", icon: Settings, shortcut: "g ," },
  { to: "/projects/$projectID/start", label: "Get started", icon: Rocket, shortcut: "g s" },
] as const;

/** Pages behind the account's menu. The command palette also offers them. */
const PERSONAL = [
  { to: "/projects/$projectID/account", label: "Your account", isForAdministrators: false },
  { to: "/projects/$projectID/instance", label: "This server", isForAdministrators: true },
] as const;

export const personalPlaces = ({ isAdministrator }: { isAdministrator: boolean }) =>
  PERSONAL.filter(({ isForAdministrators }) => isAdministrator || !isForAdministrators);

/** Parts of pages that people look for by their names in the command palette. */
export const PARTS = [
  { to: "/projects/$projectID/settings", search: { tab: "warehouse" }, label: "Warehouse", hint: "Settings" },
  { to: "/projects/$projectID/ingestion-runs", search: {}, label: "Ingestion runs", hint: "Ingestion sources" },
  { to: "/projects/$projectID/portfolio", search: {}, label: "Portfolio", hint: "Experiments" },
] as const;

/** Pages beside the console. */
export const OUTSIDE = [{ href: "/docs/", label: "Documentation", icon: CodeXml }] as const;
