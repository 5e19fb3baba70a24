import {
  Activity,
  CalendarClock,
  CodeXml,
  GitPullRequestArrow,
  House,
  type LucideIcon,
  Radio,
  Rocket,
  ScrollText,
  Server,
  Settings,
  TrendingUp,
  UserRound,
} from "lucide-react";
import { BASE_PATH } from "../base-path.ts";
import { dataKinds } from "../kinds/data-kinds.ts";
import type { Place, PlaceGroup, WebKind } from "../kinds/kind.ts";
import { projectKinds } from "../kinds/project-kinds.ts";
import { targetingKinds } from "../kinds/targeting-kinds.ts";
import type { Permission } from "../session/account.ts";

type PlaceIn<Group> = Extract<Group[keyof Group], { place: Place }>["place"];

/** The lists of kinds, in the order of their register. */
const listRoutes = <Group extends Readonly<Record<string, WebKind>>>(group: Group) =>
  Object.values(group).flatMap(({ place }) => (place === null ? [] : [toRoute(place as PlaceIn<Group>)]));

const toRoute = <Listed extends Place>({ path, ...place }: Listed) => ({
  ...place,
  to: `/projects/$projectID/${path}` as `/projects/$projectID/${Listed["path"]}`,
});

const EVERYONE: Permission | null = null;

/** The pages of a project, in the order of the navigation. The command palette also offers them. */
export const PLACES = [
  { group: null, to: "/projects/$projectID", label: "Home", icon: House, shortcut: "g h", permission: EVERYONE },
  ...listRoutes(targetingKinds),
  {
    group: "release",
    to: "/projects/$projectID/rollouts",
    label: "Rollouts",
    icon: TrendingUp,
    shortcut: "g z",
    permission: EVERYONE,
  },
  {
    group: "release",
    to: "/projects/$projectID/scheduled-changes",
    label: "Scheduled changes",
    icon: CalendarClock,
    shortcut: "g j",
    permission: EVERYONE,
  },
  {
    group: "release",
    to: "/projects/$projectID/reviews",
    label: "Reviews",
    icon: GitPullRequestArrow,
    shortcut: "g .",
    permission: EVERYONE,
  },
  ...listRoutes(dataKinds),
  { group: "learn", to: "/projects/$projectID/events", label: "Events", icon: Activity, shortcut: "g e", permission: EVERYONE },
  { group: "settings", to: "/projects/$projectID/settings", label: "Project", icon: Settings, shortcut: "g ,", permission: EVERYONE },
  ...listRoutes(projectKinds),
  { group: "settings", to: "/projects/$projectID/sdks", label: "SDKs", icon: Radio, shortcut: "g 9", permission: "read_keys" },
  {
    group: "settings",
    to: "/projects/$projectID/audit-log",
    label: "Audit log",
    icon: ScrollText,
    shortcut: "g a",
    permission: "read_audit_logs",
  },
  { group: "last", to: "/projects/$projectID/start", label: "Get started", icon: Rocket, shortcut: "g s", permission: EVERYONE },
] as const satisfies readonly {
  /** Null for the pages before all groups, "last" for those after them. */
  group: PlaceGroup | "last" | null;
  to: `/projects/$projectID${string}`;
  label: string;
  icon: LucideIcon;
  shortcut: string;
  permission: Permission | null;
}[];

export type ListedPlace = (typeof PLACES)[number];

/** The groups that can be folded, in the order of the navigation. */
export const GROUPS = { release: "Release", learn: "Learn", data: "Data" } as const;
export type GroupID = keyof typeof GROUPS;

/** Pages of the person and the server. The settings' navigation and the command palette offer them. */
const PERSONAL = [
  { to: "/projects/$projectID/account", label: "Your account", icon: UserRound, isForAdministrators: false },
  { to: "/projects/$projectID/instance", label: "This server", icon: Server, isForAdministrators: true },
] as const;

export const personalPlaces = ({ isAdministrator }: { isAdministrator: boolean }) =>
  PERSONAL.filter(({ isForAdministrators }) => isAdministrator || !isForAdministrators);

/** Parts of pages that people look for by their names in the command palette. */
export const PARTS = [
  { to: "/projects/$projectID/settings", search: { tab: "warehouse" }, label: "Warehouse", hint: "Settings" },
  { to: "/projects/$projectID/settings", search: { tab: "model" }, label: "Model endpoint", hint: "Settings" },
  { to: "/projects/$projectID/settings", search: { tab: "environments" }, label: "Environments", hint: "Settings" },
  { to: "/projects/$projectID/ingestion-runs", search: {}, label: "Ingestion runs", hint: "Ingestion sources" },
  { to: "/projects/$projectID/portfolio", search: {}, label: "Portfolio", hint: "Experiments" },
  { to: "/projects/$projectID/notifications", search: {}, label: "Notifications", hint: "Page" },
  { to: "/projects/$projectID/notifications", search: { tab: "settings" }, label: "Notification settings", hint: "Notifications" },
] as const;

/** Pages beside the console. */
export const OUTSIDE = [{ href: `${BASE_PATH}/docs/`, label: "Documentation", icon: CodeXml }] as const;

/** The page below which an address is; undefined for home and for addresses that no list leads to. */
export function findPlace<Listed extends { to: string }>(places: readonly Listed[], pathname: string): Listed | undefined {
  const path = pathname.replace(/^\/projects\/[^/]+/, "/projects/$projectID");
  return places.find(({ to }) => to !== "/projects/$projectID" && (path === to || path.startsWith(`${to}/`)));
}
