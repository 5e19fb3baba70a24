import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useAccount } from "../../session/account.ts";
import { Page } from "../../shell/page.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { People } from "./people.tsx";
import { Projects } from "./projects.tsx";
import { Resets } from "./resets.tsx";

const FROM = "/projects/$projectID/instance";

/** Accounts and projects, which belong to no project. For administrators. */
export default function InstancePage() {
  const { view = "people" } = useSearch({ from: FROM });
  const { projectID } = useParams({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { person } = useAccount();
  return (
    <Page title="This server">
      {person.isAdministrator ? (
        <>
          <p>
            All accounts and projects of this server. Activity is recorded in the{" "}
            <Link to="/projects/$projectID/audit-log" params={{ projectID }} search={{ view: "instance" }}>
              audit log of sign-ins and the server
            </Link>
            .
          </p>
          <Tabs
            label="Server sections"
            selected={view}
            onSelect={(next) => void navigate({ search: next === "people" ? {} : { view: next }, replace: true })}
            tabs={[
              { id: "people", label: "People", content: () => <People /> },
              { id: "resets", label: "Password resets", content: () => <Resets /> },
              { id: "projects", label: "Projects", content: () => <Projects /> },
            ]}
          />
        </>
      ) : (
        <Notice>Only server administrators can see all accounts and projects.</Notice>
      )}
    </Page>
  );
}
