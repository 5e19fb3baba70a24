import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call, invalidate } from "../api.ts";
import { explain } from "../explain.ts";
import { useAccount } from "../session/account.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";

/** Creates the sample project, or opens the one that exists. No other project changes. */
export function SampleOffer() {
  const { person } = useAccount();
  const navigate = useNavigate();
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const open = async () => {
    setPending(true);
    setError(undefined);
    try {
      const { data } = await call("createSampleProject");
      await invalidate("getSession", "getSampleProject");
      if (data.id !== null) await navigate({ to: "/projects/$projectID", params: { projectID: data.id } });
    } catch (thrown) {
      setError(thrown);
      setPending(false);
    }
  };
  return (
    <>
      <Button
        onPress={() => void open()}
        isPending={isPending}
        disabledReason={person.isAdministrator ? undefined : "Only server administrators can create projects."}
      >
        Explore a sample project
      </Button>
      {error !== undefined && <Notice tone="bad">{explain(error)}</Notice>}
    </>
  );
}
