import { useNavigate, useSearch } from "@tanstack/react-router";
import { Page } from "../../shell/page.tsx";
import FirstSteps from "../../start/first-steps.tsx";

const FROM = "/projects/$projectID/start";

export default function StartPage() {
  const chosen = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  return (
    <Page title="Get started">
      <FirstSteps {...chosen} choose={(change) => void navigate({ search: (known) => ({ ...known, ...change }), replace: true })} />
    </Page>
  );
}
