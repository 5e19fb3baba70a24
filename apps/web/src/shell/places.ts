import { CodeXml, House, KeyRound, Rocket, ScrollText, ToggleLeft } from "lucide-react";

/** The pages of a project, in the order of the navigation. The command palette offers them too. */
export const PLACES = [
  { to: "/projects/$projectID", label: "Home", icon: House, shortcut: "g h" },
  { to: "/projects/$projectID/gates", label: "Gates", icon: ToggleLeft, shortcut: "g g" },
  { to: "/projects/$projectID/keys", label: "Keys", icon: KeyRound, shortcut: "g k" },
  { to: "/projects/$projectID/audit-log", label: "Audit log", icon: ScrollText, shortcut: "g a" },
  { to: "/projects/$projectID/start", label: "Get started", icon: Rocket, shortcut: "g s" },
] as const;

/** Pages beside the console. */
export const OUTSIDE = [{ href: "/docs", label: "API docs", icon: CodeXml }] as const;
