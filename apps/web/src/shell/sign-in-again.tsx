import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call, instanceQuery } from "../api.ts";
import { BASE_PATH } from "../base-path.ts";
import type { Account } from "../session/account.ts";
import { personName } from "../session/names.ts";
import session from "../session/session.module.css";
import { SignInForm } from "../session/sign-in.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";

type Person = Account["person"];

/** When the session ends in the middle, the page stays as it is below this dialog, with everything that is not saved yet. */
export default function SignInAgain({ person, onSignedIn }: { person: Person; onSignedIn: (account: Account) => void }) {
  const { data: methods } = useQuery(instanceQuery("getSignInMethods"));
  const [other, setOther] = useState<Person>();
  useEffect(() => {
    // The person signed in may change in another tab. Unsaved edits belong to one person.
    const checkSession = async () => {
      const account = await call("getSession").then(
        ({ data }) => data,
        () => undefined,
      );
      if (account?.person.id === person.id) onSignedIn(account);
      else setOther(account?.person);
    };
    const onReturn = () => void checkSession();
    addEventListener("focus", onReturn);
    return () => removeEventListener("focus", onReturn);
  }, [person.id, onSignedIn]);
  const checkPerson = (account: Account) => {
    if (account.person.id === person.id) onSignedIn(account);
    else setOther(account.person);
  };
  return (
    <Dialog title="Your session has ended" isOpen onClose={() => {}} isDemanding>
      <p>Sign in again to continue. Your unsaved changes are kept.</p>
      {other !== undefined && (
        <Notice tone="warn">
          <bdi>{personName(other)}</bdi> is signed in now. Sign in as <bdi>{personName(person)}</bdi> to continue here.
        </Notice>
      )}
      {methods?.data.singleSignOn && (
        <a className={session.provider} href={`${BASE_PATH}/console/v1/session/oidc`} target="_blank" rel="noopener">
          Sign in with your organization, in a new tab
        </a>
      )}
      {methods?.data.password && <SignInForm email={person.email} withPasskey={methods.data.passkey} onSignedIn={checkPerson} />}
    </Dialog>
  );
}
