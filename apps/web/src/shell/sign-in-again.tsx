import { useEffect, useState } from "react";
import { onSessionEnd, queryClient } from "../api.ts";
import { type Account, accountQuery } from "../session/account.ts";
import { SignInForm } from "../session/sign-in.tsx";
import { Dialog } from "../ui/dialog.tsx";

/** When the session ends in the middle, the page stays as it is below this dialog, with everything that is not saved yet. */
export function SignInAgain() {
  const [email, setEmail] = useState<string>();
  useEffect(
    () =>
      onSessionEnd(() => {
        // Without an account there is nothing to keep: the routes lead to the sign-in page.
        const account = queryClient.getQueryData(accountQuery().queryKey);
        if (account) setEmail(account.data.person.email);
      }),
    [],
  );
  const onSignedIn = (account: Account) => {
    queryClient.setQueryData(accountQuery().queryKey, (known) => known && { ...known, data: account });
    setEmail(undefined);
    void queryClient.invalidateQueries();
  };
  return (
    <Dialog title="Your session has ended" isOpen={email !== undefined} onClose={() => {}} isDemanding>
      <p>Sign in again to go on. What you have not saved yet is still here.</p>
      {email !== undefined && <SignInForm email={email} onSignedIn={onSignedIn} />}
    </Dialog>
  );
}
