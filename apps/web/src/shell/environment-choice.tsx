import { useNavigate, useSearch } from "@tanstack/react-router";
import { ChevronsUpDown } from "lucide-react";
import { Button } from "../ui/button.tsx";
import { Menu } from "../ui/menu.tsx";
import { useEnvironments } from "./environments.ts";
import styles from "./shell.module.css";

/** The environment that pages show. It's part of the address, so that a link shows the same. */
export function EnvironmentChoice() {
  const { environment } = useSearch({ from: "/projects/$projectID" });
  const environments = useEnvironments();
  const navigate = useNavigate();
  const choose = (name: string | undefined) =>
    void navigate({ to: ".", search: (search) => ({ ...search, environment: name }), replace: true });
  return (
    <span className={styles.choice}>
      <Menu
        label="Environments"
        trigger={
          <Button look="quiet" aria-label={`Environment: ${environment ?? "All environments"}`}>
            <bdi>{environment ?? "All environments"}</bdi>
            <ChevronsUpDown aria-hidden="true" />
          </Button>
        }
        actions={[
          { id: "", label: "All environments", onAction: () => choose(undefined) },
          ...environments.map(({ name, isProduction }) => ({
            id: `=${name}`,
            label: name,
            ...(isProduction && { hint: "Serves real users" }),
            onAction: () => choose(name),
          })),
        ]}
      />
    </span>
  );
}
