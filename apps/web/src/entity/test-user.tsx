import { Suspense } from "react";
import { Loading } from "../ui/notice.tsx";
import { onDemand } from "../ui/soon.tsx";
import type { Props } from "./tested-user.tsx";

const TestedUser = onDemand(() => import("./tested-user.tsx"));

/** A test of one user, which is loaded after the rules above it. */
export function TestUser(props: Props) {
  return (
    <Suspense fallback={<Loading />}>
      <TestedUser {...props} />
    </Suspense>
  );
}
