import { useQuery } from "@tanstack/react-query";
import { instanceQuery, type Schema } from "../api.ts";
import { useAccount } from "../session/account.ts";

const POLL_MS = 1_000;

/** The sample project, read again while it loads. Undefined until it is read, and for people who may not read it. */
export function useSample(isEnabled = true): Schema<"SampleProject"> | undefined {
  const { person } = useAccount();
  return useQuery({
    ...instanceQuery("getSampleProject"),
    enabled: isEnabled && person.isAdministrator,
    refetchInterval: ({ state }) => (state.data?.data.state === "loading" ? POLL_MS : false),
  }).data?.data;
}
