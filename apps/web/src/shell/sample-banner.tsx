import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { call, currentProjectID, instanceQuery, invalidate, queryClient } from "../api.ts";
import { explain } from "../explain.ts";
import { useAccount } from "../session/account.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { toast } from "../ui/toast.tsx";
import styles from "./sample-banner.module.css";

const POLL_MS = 1_000;

/** Says on every page of the sample project what it is, how far it is loaded, and offers its removal. */
export default function SampleBanner() {
  const { person } = useAccount();
  const sample = useQuery({
    ...instanceQuery("getSampleProject"),
    enabled: person.isAdministrator,
    refetchInterval: ({ state }) => (state.data?.data.state === "loading" ? POLL_MS : false),
  }).data?.data;
  const before = useRef(sample?.state);
  useEffect(() => {
    // Pages were read before the results existed.
    if (before.current === "loading" && sample?.state === "ready") void queryClient.invalidateQueries();
    before.current = sample?.state;
  }, [sample?.state]);
  return (
    <div className={styles.banner}>
      <Notice title="Sample project" actions={<Remove />}>
        {sample?.state === "loading"
          ? `Loading: ${sample.loadedDays} of ${sample.days} days. Results follow in a few seconds.`
          : "Harbor Lane is a made-up shop. Try anything here: your other projects don’t change."}
      </Notice>
    </div>
  );
}

function Remove() {
  const { person } = useAccount();
  const navigate = useNavigate();
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const remove = async () => {
    setPending(true);
    setError(undefined);
    try {
      await call("deleteProject", { path: { id: currentProjectID() ?? "" }, query: { force: true } });
      toast({ text: "Sample project deleted" });
      await invalidate("getSession");
      await navigate({ to: "/" });
    } catch (thrown) {
      setError(thrown);
      setPending(false);
    }
  };
  return (
    <>
      {error !== undefined && <Notice tone="bad">{explain(error)}</Notice>}
      <Button
        onPress={() => void remove()}
        isPending={isPending}
        disabledReason={person.isAdministrator ? undefined : "Only server administrators can delete projects."}
      >
        Delete sample project
      </Button>
    </>
  );
}
