import { useQuery } from "@tanstack/react-query";
import { instanceQuery } from "../../api.ts";
import { useAccount } from "../../session/account.ts";
import { Page } from "../../shell/page.tsx";
import { Password } from "./password.tsx";
import { Profile } from "./profile.tsx";
import { Roles } from "./roles.tsx";
import { Sessions } from "./sessions.tsx";
import { SecondFactors } from "./two-factor.tsx";

/** Settings of the signed-in person, for all projects. */
export default function AccountPage() {
  const { person } = useAccount();
  const { data: methods } = useQuery(instanceQuery("getSignInMethods"));
  return (
    <Page title="Your account" beside={<bdi>{person.email}</bdi>}>
      <Profile key={person.id} />
      {methods?.data.password && <Password />}
      {methods?.data.password && <SecondFactors />}
      <Sessions />
      <Roles />
    </Page>
  );
}
