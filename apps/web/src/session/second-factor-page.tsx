import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { call, instanceQuery, queryClient } from "../api.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { useSetUp } from "./factors/use-set-up.tsx";
import { SessionFrame } from "./frame.tsx";
import { hasPasskeys } from "./passkeys.ts";

/** Lets people set up the second factor that the server requires, and then opens the page that they asked for. */
export default function SecondFactorPage() {
  const { next } = useSearch({ from: "/second-factor" });
  const navigate = useNavigate();
  const factors = useSuspenseQuery(instanceQuery("getSecondFactors")).data.data;
  const leave = (to: string) => {
    queryClient.clear();
    void navigate({ to, replace: true });
  };
  const { open, dialog } = useSetUp(factors, () => leave(next ?? "/"));
  const signOut = async () => {
    await call("deleteSession");
    leave("/sign-in");
  };
  const canUsePasskeys = factors.canUsePasskeys && hasPasskeys();
  return (
    <SessionFrame title="Set up two-factor authentication">
      <p>This server requires a second factor in addition to your password. Set one up to continue.</p>
      {!canUsePasskeys && !factors.canUseTotp && (
        <Notice tone="bad">This server accepts only passkeys, and this browser doesn't support them. Use another browser.</Notice>
      )}
      {canUsePasskeys && (
        <Button look="primary" onPress={() => open("passkey")}>
          Create a passkey
        </Button>
      )}
      {factors.canUseTotp && (
        <Button look={canUsePasskeys ? "default" : "primary"} onPress={() => open("app")}>
          Set up an authenticator app
        </Button>
      )}
      <Button look="quiet" onPress={() => void signOut()}>
        Sign out
      </Button>
      {dialog}
    </SessionFrame>
  );
}
