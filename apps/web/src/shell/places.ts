import { CodeXml, ScrollText, ShieldCheck, ToggleLeft, Users, UsersRound } from "lucide-react";

/** The pages of a project, in the order of the navigation. The command palette offers them too. */
export const PLACES = [
  { to: "/projects/$projectID/gates", label: "Gates", icon: ToggleLeft, shortcut: "g g" },
  { to: "/projects/$projectID/people", label: "People", icon: Users, shortcut: "g p" },
  { to: "/projects/$projectID/teams", label: "Teams", icon: UsersRound, shortcut: "g t" },
  { to: "/projects/$projectID/roles", label: "Roles", icon: ShieldCheck, shortcut: "g r" },
  { to: "/projects/$projectID/audit-log", label: "Audit log", icon: ScrollText, ShieldCheck, shortcut: "g a" },
] as const;

/** Pages beside the console. */
export const OUTSIDE = [{ href: "/docs", label: "API docs", icon: CodeXml }] as const;
