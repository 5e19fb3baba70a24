import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call, currentProjectID, invalidate } from "../api.ts";
import { explain } from "../explain.ts";
import { useAccount } from "../session/account.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { toast } from "../ui/toast.tsx";

/** Deletes the sample project, which is the current one, with all its data. */
export function RemoveSample() {
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
