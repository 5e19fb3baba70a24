import {
  Activity,
  Bell,
  Braces,
  ChartLine,
  CodeXml,
  Database,
  FlaskConical,
  Gauge,
  Hand,
  HardDriveDownload,
  House,
  KeyRound,
  Layers,
  MessageSquareText,
  Rocket,
  ScrollText,
  Settings,
  ShieldCheck,
  Shuffle,
  SlidersHorizontal,
  ToggleLeft,
  UserRoundCheck,
  Users,
  UsersRound,
} from "lucide-react";

/** The pages of a project, in the order of the navigation. The command palette offers them too. */
export const PLACES = [
  { to: "/projects/$projectID", label: "Home", icon: House, shortcut: "g h" },
  { to: "/projects/$projectID/gates", label: "Gates", icon: ToggleLeft, shortcut: "g g" },
  { to: "/projects/$projectID/dynamic-configs", label: "Dynamic configs", icon: SlidersHorizontal, shortcut: "g d" },
  { to: "/projects/$projectID/experiments", label: "Experiments", icon: FlaskConical, shortcut: "g x" },
  { to: "/projects/$projectID/autotunes", label: "Autotunes", icon: Gauge, shortcut: "g n" },
  { to: "/projects/$projectID/layers", label: "Layers", icon: Layers, shortcut: "g l" },
  { to: "/projects/$projectID/holdouts", label: "Holdouts", icon: Hand, shortcut: "g o" },
  { to: "/projects/$projectID/param-stores", label: "Param stores", icon: Braces, shortcut: "g v" },
  { to: "/projects/$projectID/prompts", label: "Prompts", icon: MessageSquareText, shortcut: "g q" },
  { to: "/projects/$projectID/segments", label: "Segments", icon: UserRoundCheck, shortcut: "g m" },
  { to: "/projects/$projectID/events", label: "Events", icon: Activity, shortcut: "g e" },
  { to: "/projects/$projectID/metrics", label: "Metrics", icon: ChartLine, shortcut: "g i" },
  { to: "/projects/$projectID/metric-sources", label: "Metric sources", icon: Database, shortcut: "g c" },
  { to: "/projects/$projectID/alerts", label: "Alerts", icon: Bell, shortcut: "g b" },
  { to: "/projects/$projectID/assignment-sources", label: "Assignment sources", icon: Shuffle, shortcut: "g u" },
  { to: "/projects/$projectID/entity-properties", label: "Entity properties", icon: UsersRound, shortcut: "g y" },
  { to: "/projects/$projectID/qualifying-events", label: "Qualifying events", icon: UserRoundCheck, shortcut: "g f" },
  { to: "/projects/$projectID/ingestion-sources", label: "Ingestion sources", icon: HardDriveDownload, shortcut: "g w" },
  { to: "/projects/$projectID/keys", label: "Keys", icon: KeyRound, shortcut: "g k" },
  { to: "/projects/$projectID/people", label: "People", icon: Users, shortcut: "g p" },
  { to: "/projects/$projectID/teams", label: "Teams", icon: UsersRound, shortcut: "g t" },
  { to: "/projects/$projectID/roles", label: "Roles", icon: ShieldCheck, shortcut: "g r" },
  { to: "/projects/$projectID/audit-log", label: "Audit log", icon: ScrollText, shortcut: "g a" },
  { to: "/projects/$projectID/settings", label: "Settings", icon: Settings, shortcut: "g ," },
  { to: "/projects/$projectID/start", label: "Get started", icon: Rocket, shortcut: "g s" },
] as const;

/** Pages behind the account's menu. The command palette offers them too. */
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
] as const;

/** Pages beside the console. */
export const OUTSIDE = [{ href: "/docs", label: "API docs", icon: CodeXml }] as const;
