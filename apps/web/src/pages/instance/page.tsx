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
            Everybody with an account, and every project. What happened here is in the{" "}
            <Link to="/projects/$projectID/audit-log" params={{ projectID }} search={{ view: "instance" }}>
              audit log of sign-ins and of the server
            </Link>
            .
          </p>
          <Tabs
            label="Parts of the server"
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
        <Notice>
          Only administrators of this server see everybody with an account, and every project. Your projects are in your account.
        </Notice>
      )}
    </Page>
  );
}
