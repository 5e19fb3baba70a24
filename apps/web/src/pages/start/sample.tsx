import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call, callIn, invalidate } from "../../api.ts";
import { explain } from "../../explain.ts";
import { useAccount } from "../../session/account.ts";
import { Section } from "../../shell/page.tsx";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { SAMPLE_NAME, sampleRequests } from "./sample-project.ts";
import styles from "./start.module.css";

/** A project with sample data, which touches no other project. */
export function SampleData() {
  const { person } = useAccount();
  const navigate = useNavigate();
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const open = async () => {
    setPending(true);
    setError(undefined);
    try {
      const projectID = await sampleProject();
      await invalidate("getSession");
      await navigate({ to: "/projects/$projectID/gates", params: { projectID } });
    } catch (thrown) {
      setError(thrown);
      setPending(false);
    }
  };
  return (
    <div className={styles.sample}>
      <Section
        title="Look around first"
        description={`Creates a separate project, “${SAMPLE_NAME}”, with gates, a segment, a dynamic config and an experiment.`}
        actions={
          <Button
            onPress={() => void open()}
            isPending={isPending}
            disabledReason={person.isAdministrator ? undefined : "Only server administrators can create projects."}
          >
            Open sample data
          </Button>
        }
      >
        {error !== undefined && <Notice tone="bad">{explain(error)}</Notice>}
      </Section>
    </div>
  );
}

/**
 * The sample project, filled. One that exists is taken, so that asking twice makes one project. It is filled by one batch, so it is empty or
 * whole: an interrupted attempt leaves it empty, and the next one fills it.
 */
async function sampleProject(): Promise<string> {
  const { data: account } = await call("getSession");
  const known = account.projects.find(({ name }) => name === SAMPLE_NAME)?.id;
  const projectID = known ?? (await call("createProject", { body: { name: SAMPLE_NAME } })).data.id;
  const { pagination } = await callIn(projectID, "listGates", { query: { limit: 1, includeArchived: true } });
  if (pagination.totalItems === 0) await callIn(projectID, "batch", { requests: sampleRequests() });
  return projectID;
}
