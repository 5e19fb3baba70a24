import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { instanceQuery, queryClient } from "../api.ts";
import { BASE_PATH } from "../base-path.ts";
import { Button } from "../ui/button.tsx";
import { ForgotPassword } from "./forgot-password.tsx";
import { SessionFrame } from "./frame.tsx";
import { keepNext } from "./next-address.ts";
import styles from "./session.module.css";
import { SignInForm } from "./sign-in.tsx";

export default function SignInPage() {
  const { next } = useSearch({ from: "/sign-in" });
  const navigate = useNavigate();
  const { password, passkey, singleSignOn, passwordReset } = useSuspenseQuery(instanceQuery("getSignInMethods")).data.data;
  const [isForgotten, setForgotten] = useState(false);
  const onSignedIn = () => {
    queryClient.clear();
    void navigate({ to: next ?? "/", replace: true });
  };
  if (isForgotten)
    return (
      <SessionFrame title="Reset your password">
        <ForgotPassword onBack={() => setForgotten(false)} />
      </SessionFrame>
    );
  return (
    <SessionFrame title="Sign in">
      {singleSignOn && (
        <a className={styles.provider} href={`${BASE_PATH}/console/v1/session/oidc`} onClick={() => keepNext(next)}>
          Sign in with your organization
        </a>
      )}
      {password && <SignInForm withPasskey={passkey} onSignedIn={onSignedIn} />}
      {passwordReset && (
        <Button look="quiet" onPress={() => setForgotten(true)}>
          Forgot your password?
        </Button>
      )}
      <p>No account yet? Ask an administrator of this server for an invitation. If you started the server, open the link in its output.</p>
    </SessionFrame>
  );
}
