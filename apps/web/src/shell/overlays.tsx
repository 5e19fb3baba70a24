import { Suspense, useEffect, useState } from "react";
import { onSessionEnd, queryClient } from "../api.ts";
import { type Account, accountQuery } from "../session/account.ts";
import { soon } from "../ui/soon.tsx";
import { Toasts } from "../ui/toast.tsx";

const SignInAgain = soon(() => import("./sign-in-again.tsx"));

/** What stands above pages. */
export default function Overlays() {
  const [ended, setEnded] = useState<Account["person"]>();
  useEffect(
    () =>
      onSessionEnd(() => {
        // Without an account there is nothing to keep: the routes lead to the sign-in page.
        const account = queryClient.getQueryData(accountQuery().queryKey);
        if (account) setEnded(account.data.person);
      }),
    [],
  );
  const onSignedIn = (account: Account) => {
    queryClient.setQueryData(accountQuery().queryKey, (known) => known && { ...known, data: account });
    setEnded(undefined);
    void queryClient.invalidateQueries();
  };
  return (
    <>
      <Suspense>{ended !== undefined && <SignInAgain person={ended} onSignedIn={onSignedIn} />}</Suspense>
      <Toasts />
    </>
  );
}
