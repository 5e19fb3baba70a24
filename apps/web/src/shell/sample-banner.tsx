import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { instanceQuery, queryClient } from "../api.ts";
import { useAccount } from "../session/account.ts";
import { IconButton } from "../ui/button.tsx";
import { RemoveSample } from "./remove-sample.tsx";
import styles from "./sample-banner.module.css";
import { useSampleHidden } from "./sample-hidden.ts";

const POLL_MS = 1_000;

/** Says on every page of the sample project what it is, how far it is loaded, and offers its removal. */
export default function SampleBanner() {
  const { person } = useAccount();
  const sample = useQuery({
    ...instanceQuery("getSampleProject"),
    enabled: person.isAdministrator,
    refetchInterval: ({ state }) => (state.data?.data.state === "loading" ? POLL_MS : false),
  }).data?.data;
  const before = useRef(sample?.state);
  useEffect(() => {
    // Pages were read before the results existed.
    if (before.current === "loading" && sample?.state === "ready") void queryClient.invalidateQueries();
    before.current = sample?.state;
  }, [sample?.state]);
  const [isHidden, hide] = useSampleHidden();
  if (isHidden) return null;
  return (
    <section className={styles.banner} aria-label="Sample project">
      <p>
        <strong>Sample project.</strong>{" "}
        {sample?.state === "loading"
          ? `Loading: ${sample.loadedDays} of ${sample.days} days. Results follow in a few seconds.`
          : "Harbor Lane is a made-up shop. Try anything here: your other projects don’t change."}
      </p>
      <RemoveSample />
      <IconButton label="Hide until you close this tab" onPress={hide}>
        <X aria-hidden="true" />
      </IconButton>
    </section>
  );
}
