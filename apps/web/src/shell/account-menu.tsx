import { useNavigate, useParams } from "@tanstack/react-router";
import { CircleUser } from "lucide-react";
import { call, queryClient } from "../api.ts";
import { useAccount } from "../session/account.ts";
import { personName } from "../session/names.ts";
import { IconButton } from "../ui/button.tsx";
import { Menu } from "../ui/menu.tsx";
import { personalPlaces } from "./places.ts";
import { setTheme, type Theme, useTheme } from "./theme.ts";

const THEMES: readonly [Theme, string][] = [
  ["system", "System theme"],
  ["light", "Light theme"],
  ["dark", "Dark theme"],
];

export function AccountMenu() {
  const { person } = useAccount();
  const theme = useTheme();
  const navigate = useNavigate();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const name = personName(person);
  const signOut = async () => {
    await call("deleteSession");
    queryClient.clear();
    await navigate({ to: "/sign-in" });
  };
  return (
    <Menu
      label={name}
      trigger={
        <IconButton label={`Account of ${name}`}>
          <CircleUser aria-hidden="true" />
        </IconButton>
      }
      actions={[
        ...personalPlaces(person).map(({ to, label }) => ({ id: to, label, onAction: () => void navigate({ to, params: { projectID } }) })),
        ...THEMES.map(([id, label]) => ({ id, label, ...(id === theme && { hint: "Selected" }), onAction: () => setTheme(id) })),
        { id: "sign-out", label: "Sign out", hint: person.email, onAction: () => void signOut() },
      ]}
    />
  );
}
