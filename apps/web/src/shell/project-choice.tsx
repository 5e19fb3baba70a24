import { useNavigate } from "@tanstack/react-router";
import { ChevronsUpDown } from "lucide-react";
import { useAccount, useProject } from "../session/account.ts";
import { Button } from "../ui/button.tsx";
import { Menu } from "../ui/menu.tsx";
import styles from "./shell.module.css";

export function ProjectChoice() {
  const { projects } = useAccount();
  const current = useProject();
  const navigate = useNavigate();
  return (
    <span className={styles.choice}>
      <Menu
        label="Projects"
        trigger={
          <Button look="quiet" aria-label={`Project ${current.name}`}>
            <bdi>{current.name}</bdi>
            <ChevronsUpDown aria-hidden="true" />
          </Button>
        }
        actions={projects.map(({ id, name, role }) => ({
          id,
          label: name,
          hint: `You are ${role}`,
          onAction: () => void navigate({ to: "/projects/$projectID", params: { projectID: id } }),
        }))}
      />
    </span>
  );
}
