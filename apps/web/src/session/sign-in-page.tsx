import { useNavigate, useSearch } from "@tanstack/react-router";
import { queryClient } from "../api.ts";
import { SessionFrame } from "./frame.tsx";
import { SignInForm } from "./sign-in.tsx";

export default function SignInPage() {
  const { next } = useSearch({ from: "/sign-in" });
  const navigate = useNavigate();
  return (
    <SessionFrame title="Sign in">
      <SignInForm
        onSignedIn={() => {
          queryClient.clear();
          void navigate({ to: next ?? "/", replace: true });
        }}
      />
      <p>No account yet? Ask an administrator of this server for an invitation. Whoever started the server finds a link in its output.</p>
    </SessionFrame>
  );
}
