import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { instanceQuery, queryClient } from "../api.ts";
import { BASE_PATH } from "../base-path.ts";
import { SessionFrame } from "./frame.tsx";
import { keepNext } from "./next-address.ts";
import styles from "./session.module.css";
import { SignInForm } from "./sign-in.tsx";

export default function SignInPage() {
  const { next } = useSearch({ from: "/sign-in" });
  const navigate = useNavigate();
  const { password, passkey, singleSignOn } = useSuspenseQuery(instanceQuery("getSignInMethods")).data.data;
  const onSignedIn = () => {
    queryClient.clear();
    void navigate({ to: next ?? "/", replace: true });
  };
  return (
    <SessionFrame title="Sign in">
      {singleSignOn && (
        <a className={styles.provider} href={`${BASE_PATH}/console/v1/session/oidc`} onClick={() => keepNext(next)}>
          Sign in with your organization
        </a>
      )}
      {password && <SignInForm withPasskey={passkey} onSignedIn={onSignedIn} />}
      <p>No account yet? Ask an administrator of this server for an invitation. If you started the server, open the link in its output.</p>
    </SessionFrame>
  );
}
